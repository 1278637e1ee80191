import { BoardError } from '../errors.js';

const LONGEST_WAIT_MS = 2000;
const RETRY_SECONDS = 2;

/**
 * Lets the ballots of this process through one at a time. They meet at one
 * lock anyway; whoever waits here holds no connection that others need, so a
 * rush on a poll keeps no publish from the database.
 */
export class BallotQueue {
  private last: Promise<unknown> = Promise.resolve();
  private readonly longestWaitMs: number;

  /** @param patience factor by which the wait may last longer. */
  constructor(patience: number) {
    this.longestWaitMs = LONGEST_WAIT_MS * patience;
  }

  /** @throws BoardError `unavailable` when the wait was too long. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const since = performance.now();
    const turn = this.last.then(() => {
      if (performance.now() - since > this.longestWaitMs) throw tooBusy();
      return work();
    });
    this.last = turn.catch(() => undefined);
    return await turn;
  }
}

function tooBusy(): BoardError {
  return new BoardError(
    'unavailable',
    'The board has too many ballots waiting; send the same ticket again in a few seconds, nothing is counted twice.',
    { retry_after_seconds: RETRY_SECONDS },
  );
}
