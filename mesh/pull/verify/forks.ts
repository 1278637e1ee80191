import type { FeedPage, FeedRefusal } from '../../../protocol/feed-page.js';
import { type Fork, forkOf, type PullSeams } from '../hooks.js';
import type { MirrorLog } from '../mirror-log.js';
import type { Round } from '../round.js';

/** Whether a refused page shows a history other than the one held. */
export function isFork(reason: FeedRefusal): reason is Fork['kind'] {
  return reason === 'equivocation' || reason === 'root_mismatch';
}

/**
 * Pages whose head does not continue what is held: each is fetched once more
 * before it counts, and is then reported (spec/mesh.md §B8).
 */
export class Forks {
  private met = 0;

  constructor(private readonly seams: Pick<PullSeams, 'onFork'>) {}

  /** A page that fits: what came before it was a fault of the moment. */
  none(): void {
    this.met = 0;
  }

  /** The code of the failed round; null where the page is to come again. */
  async meet(
    log: MirrorLog,
    { checkpoint }: FeedPage,
    kind: Fork['kind'],
    { source, fromOrigin }: Round,
  ): Promise<string | null> {
    this.met += 1;
    if (this.met < 2) return null;
    this.met = 0;
    // A mirror may be wrong by itself; a head that the origin signed is not.
    if (fromOrigin || kind === 'equivocation') {
      await this.seams.onFork(forkOf(log, kind, source, checkpoint));
    }
    return kind === 'root_mismatch' ? 'feed_corrupt' : kind;
  }
}
