import { isAmbiguous, isPassing, pause, type Waiting } from './back-off.js';
import { BoardRefusal } from './failures.js';

/** A write in two steps, by the same content and UUID however often. */
export type TwoSteps<Prepared, Result> = {
  /** An earlier run may have published it. */
  resumed?: boolean;
  preview(): Promise<Prepared>;
  publish(prepared: Prepared): Promise<Result>;
  /** The receipt of a publication that was not heard of; null without one. */
  lookUp(): Promise<Result | null>;
};

/**
 * `patienceMs`: how long all waits together may last. `waitsForTopics`: also
 * for a topic budget, where a reply would be possible at once.
 */
export type Patience = Waiting & {
  patienceMs: number;
  waitsForTopics: boolean;
};

/**
 * Refusals of a ticket, not of what it was made for: the same content with
 * the same UUID deserves a new preview (spec/board.md §5.1, §12).
 */
const TICKET_GONE = new Set([
  'ticket_expired',
  'ticket_invalid',
  'network_changed',
  'funnel_thread_changed',
  'stale_statement',
]);

/**
 * Previews and publishes, through lost answers and busy boards: after an
 * ambiguous end the ORIGINAL ticket is sent again; once that is gone the
 * receipt is looked up, and only without one the same is previewed again.
 *
 * @throws what stopped it: a refusal that waiting does not mend, or the last
 * failure once `patienceMs` is used up or less than the board asks for.
 */
export async function inTwoSteps<Prepared, Result>(
  steps: TwoSteps<Prepared, Result>,
  patience: Patience,
): Promise<Result> {
  let prepared: { value: Prepared } | null = null;
  let unsure = steps.resumed ?? false;
  let waited = 0;
  for (let tries = 0; ; tries += 1) {
    try {
      if (unsure && prepared === null) {
        const found = await steps.lookUp();
        if (found !== null) return found;
      }
      prepared ??= { value: await steps.preview() };
      return await steps.publish(prepared.value);
    } catch (error) {
      patience.signal?.throwIfAborted();
      const code = error instanceof BoardRefusal ? error.code : '';
      const gone = prepared !== null && TICKET_GONE.has(code);
      const waits =
        isPassing(error) ||
        (patience.waitsForTopics && code === 'topic_budget_exhausted');
      if (!gone && !waits) throw error;
      if (prepared !== null && isAmbiguous(error)) unsure = true;
      if (gone) {
        prepared = null;
        unsure = true; // another sender of this UUID may have been accepted
      }
      const ms = pause(tries, error, patience.random);
      if (waited + ms > patience.patienceMs) throw error;
      waited += ms;
      patience.onWait?.(ms, error);
      await patience.sleep(ms, patience.signal);
    }
  }
}
