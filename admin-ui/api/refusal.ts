import type { CommandError } from '../../server/dashboard/command.js';

/** What the node, or the way to it, said instead of an answer. */
export class Refusal extends Error {
  constructor(
    /** 0 when no answer came at all. */
    readonly status: number,
    readonly body: CommandError,
  ) {
    super(body.detail);
    this.name = 'Refusal';
  }
}

export function lostRefusal(detail: string): Refusal {
  return new Refusal(0, { error: 'connection_lost', detail });
}

export function isRefusal(error: unknown, code?: string): error is Refusal {
  if (!(error instanceof Refusal)) return false;
  return code === undefined || error.body.error === code;
}

/** One sentence for the person at the screen. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Refusal)) {
    return 'This part of the page could not be shown. Reload it; nothing was lost on the board.';
  }
  const { retry_after_seconds: seconds } = error.body;
  if (error.status !== 429 || typeof seconds !== 'number') return error.message;
  return `${error.message} Try again in ${minutes(seconds)}.`;
}

function minutes(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
