import type { Events } from '../../server/events.js';

const LONGEST_MS = 3_600_000;

/** Waits, at most an hour; a change of a peer or the signal ends it early. */
export async function rest(
  ms: number,
  events: Events,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  const change = events.subscribe('peers');
  const timer = setTimeout(() => change.close(), Math.min(ms, LONGEST_MS));
  const stop = () => change.close();
  signal.addEventListener('abort', stop, { once: true });
  await change.woken;
  clearTimeout(timer);
  signal.removeEventListener('abort', stop);
}
