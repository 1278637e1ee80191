import type { CommandError } from '../../server/dashboard/schemas/commands.js';

/** What the node, or the way to it, said instead of an answer. */
export class Refusal extends Error {
  readonly code: string;

  constructor(
    /** 0 when no answer came at all. */
    readonly status: number,
    readonly body: CommandError,
  ) {
    super(body.detail);
    this.name = 'Refusal';
    this.code = body.error;
  }

  get scope(): string | null {
    const { scope } = this.body;
    return typeof scope === 'string' ? scope : null;
  }

  /** The field that is wrong, where the node names one. */
  get field(): string | null {
    const { field } = this.body;
    return typeof field === 'string' ? field : null;
  }

  /** The present state, in a conflict. */
  get current(): unknown {
    return this.body.current ?? null;
  }

  get waitSeconds(): number | null {
    const { retry_after_seconds: seconds } = this.body;
    return typeof seconds === 'number' ? seconds : null;
  }
}

export function lostRefusal(detail: string): Refusal {
  return new Refusal(0, { error: 'connection_lost', detail });
}

export function isRefusal(error: unknown, code?: string): error is Refusal {
  if (!(error instanceof Refusal)) return false;
  return code === undefined || error.code === code;
}

/** One sentence for the person at the screen. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Refusal) {
    const { waitSeconds } = error;
    if (error.status !== 429 || waitSeconds === null) return error.message;
    return `${error.message} Try again in ${minutes(waitSeconds)}.`;
  }
  return 'Something in this page failed. Load it again; nothing was lost on the board.';
}

function minutes(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
