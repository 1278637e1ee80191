import type { CommandError } from '../../server/dashboard/command.js';
import type {
  AnyName,
  CommandAnswers,
} from '../../server/dashboard/commands/index.js';
import { lostRefusal, Refusal } from './refusal.js';

const TIMEOUT_MS = 30_000;
const API = '/admin/api';

/** A request to the node's own `/admin/api`; refusals are thrown. */
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
