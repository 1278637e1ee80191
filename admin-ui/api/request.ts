import type {
  AnyName,
  CommandAnswers,
} from '../../server/dashboard/all-commands.js';
import type { CommandError } from '../../server/dashboard/command.js';

import { spoken } from '../parts/words.js';

export class Refusal extends Error {
  constructor(
    /** 0 without an answer. */
    readonly status: number,
    readonly body: CommandError,
  ) {
    super(spoken(body.detail));
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

/** For people. */
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

const TIMEOUT_MS = 30_000;
const API = '/admin/api';

async function request<T>(
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<T> {
  const response = await fetch(`${API}${path}`, {
    method,
    credentials: 'same-origin',
    cache: 'no-store',
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body && {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  }).catch(() => {
    throw lostRefusal('The board does not answer. Check your connection.');
  });
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer as T;
  throw new Refusal(response.status, errorOf(answer, response.status));
}

function errorOf(answer: unknown, status: number): CommandError {
  const given = answer as Partial<CommandError> | null;
  if (typeof given?.error === 'string' && typeof given.detail === 'string') {
    return given as CommandError;
  }
  const detail = `The board answered with status ${status} and no reason.`;
  return { error: 'unknown', detail };
}

export const get = <N extends AnyName>(path: string) =>
  request<CommandAnswers[N]>('GET', path);
export const post = <N extends AnyName>(path: string, body: object = {}) =>
  request<CommandAnswers[N]>('POST', path, body);
