import { isAmbiguous, isPassing, pause, type Waiting } from './back-off.js';
import { BoardRefusal } from './failures.js';

/** Content and UUID stay the same in every try. */
export type TwoSteps<Prepared, Result> = {
  /** An earlier run may have published it. */
  resumed?: boolean;
  preview(): Promise<Prepared>;
  publish(prepared: Prepared): Promise<Result>;
  /** Receipt of a publication whose answer was lost, or null. */
  lookUp(): Promise<Result | null>;
};

/**
 * `patienceMs`: limit of all waits. `waitsForTopics`: also for a topic budget,
 * where a reply would be possible.
 */
export type Patience = Waiting & {
  patienceMs: number;
  waitsForTopics: boolean;
};

/** The same content needs a new preview (spec/board.md §5.1, §12). */
const TICKET_GONE = new Set([
  'ticket_expired',
  'ticket_invalid',
  'network_changed',
  'funnel_thread_changed',
  'stale_statement',
]);

/**
 * After an ambiguous failure it repeats the ORIGINAL ticket; once that has
 * ended it looks for the receipt; only without one it previews again.
 * @throws a final refusal, or the last failure when `patienceMs` does not
 *   suffice
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
