import { setTimeout as delay } from 'node:timers/promises';
import { parseUrl } from '../../protocol/parse-url.js';
import { CommandFailure } from './failure.js';

const TIMEOUT_MS = 40_000;
const RETRIES = 5;

type Answer = { status: number; body: Record<string, unknown> };

/** The board's address without a final slash. */
export function boardAddress(text: string): string {
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new CommandFailure(
      `--board must be an address such as https://board.example, not "${text}".`,
    );
  }
  return url.href.replace(/(?<!\/)\/+$/, '');
}

/** Fetches, with one clear line when nobody answers. */
export async function fetchBoard(
  url: string,
  init: RequestInit = {},
): Promise<Response> {
  try {
    return await fetch(url, { redirect: 'error', ...init });
  } catch (error) {
    const cause = (error as { cause?: { code?: string } }).cause;
    throw new CommandFailure(
      `No board answers at ${new URL(url).origin} (${cause?.code ?? (error as Error).name}); start it, or name another with --board.`,
    );
  }
}

async function post(url: string, value: object): Promise<Answer> {
  const response = await fetchBoard(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Agent-Name': 'reserve-board seed',
    },
    body: JSON.stringify(value),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const body: unknown = await response.json().catch(() => null);
  if (typeof body !== 'object' || body === null) {
    throw new CommandFailure(`${url} is not a board: it answers no JSON.`);
  }
  return { status: response.status, body: body as Answer['body'] };
}

/**
 * POSTs, and waits as the board asks when it is busy (429, 503); `onWait` is
 * called before.
 */
export async function patientPost(
  url: string,
  value: object,
  onWait: (seconds: number, why: string) => void,
): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await post(url, value);
    const { error, scope, retry_after_seconds: after } = answer.body;
    const busy = answer.status === 429 || answer.status === 503;
    const topics = error === 'topic_budget_exhausted'; // replies are free
    if (!busy || topics || attempt > RETRIES) return answer;
    const seconds = typeof after === 'number' ? after : 5;
    onWait(seconds, String(scope ?? error));
    await delay(seconds * 1000);
  }
}
