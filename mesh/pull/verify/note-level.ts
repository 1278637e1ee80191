import type { VerifiedPage } from '../../../protocol/feed-page.js';
import type { DurablePage } from '../hooks.js';
import type { MirrorLog } from '../mirror-log.js';
import type { PullParts } from '../pull-parts.js';
import { headNote } from '../store/apply-page.js';
import { durableOf } from '../take-page.js';

/**
 * An empty page at the log's end: the peer was heard. Answers what is durable
 * of its log, null of an empty one.
 */
export async function noteLevel(
  { store, clock }: PullParts,
  log: MirrorLog,
  verified: VerifiedPage,
  fromOrigin: boolean,
): Promise<DurablePage | null> {
  const { size } = verified.checkpoint;
  await store.note({
    originId: log.originId,
    fromOrigin,
    from: size,
    head: { size, note: headNote(verified, log) },
    invalid: 0,
    skewed: false,
    applyMs: [],
    now: clock.now(),
  });
  return size === 0 ? null : durableOf(log, verified);
}
