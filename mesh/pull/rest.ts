import type { Subscription } from '../../server/events.js';

const LONGEST_MS = 3_600_000;

/**
 * Waits, at most an hour; what `change` waits for or the signal ends it early.
 * Whoever acts by the database subscribes before reading it, so that nothing
 * that changes in between is waited over.
 */
export async function rest(
  ms: number,
  change: Subscription,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return change.close();
  const timer = setTimeout(() => change.close(), Math.min(ms, LONGEST_MS));
  const stop = () => change.close();
  signal.addEventListener('abort', stop, { once: true });
  await change.woken;
  clearTimeout(timer);
  signal.removeEventListener('abort', stop);
}
