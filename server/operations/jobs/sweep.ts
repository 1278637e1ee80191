import { In, LessThanOrEqual } from 'typeorm';
import type { Context } from '../../context.js';
import { Message, SealedContent } from '../../db/entities/message.js';
import { SEALED_MS } from '../../moderation/index.js';
import { fillInboxes } from '../../reading/index.js';
import { keyTexts } from '../../search/index.js';
import { DRAFTS_MAX_BYTES, draftBytes } from '../../tickets/index.js';
import type { Rows } from './jobs.js';
import { boundsOf, deleteDrafts, SWEEPS } from './sweeps.sql.js';

/** The rest is left to the next run. */
const RUN_MS = 4000;

type SweepContext = Pick<
  Context,
  'writes' | 'clock' | 'limits' | 'ledger' | 'guard'
>;

/** In batches of at most a thousand (spec/board.md §11). */
export async function sweep(
  ctx: SweepContext,
  signal: AbortSignal,
): Promise<Rows> {
  const began = performance.now();
  const goesOn = () => !signal.aborted && performance.now() - began < RUN_MS;
  const before = boundsOf(ctx.limits, ctx.clock.now());
  const rows: Record<string, number> = {};
  for (const { kind, batch, size } of SWEEPS) {
    let total = 0;
    while (goesOn()) {
      const count = await batch(ctx.writes, before);
      total += count;
      if (count < size) break;
    }
    rows[kind] = total;
  }
  rows.sealed = await eraseOldSeals(ctx, goesOn);
  rows.drafts = await capDrafts(ctx, goesOn);
  rows.text_keys = await keyTexts(ctx.writes, goesOn);
  rows.inboxes = await fillInboxes(ctx.writes, goesOn);
  return rows;
}

/** Few: decisions and publications wait for the head lock. */
const BATCH = 100;

/**
 * 30 days after a removal (spec/mesh.md §B4, Removal), under the head lock
 * because of reinstatements. Recorded under the removing decision.
 */
async function eraseOldSeals(
  ctx: Pick<Context, 'ledger' | 'guard' | 'writes' | 'clock'>,
  goesOn: () => boolean,
): Promise<number> {
  let total = 0;
  // The guard has logged why.
  if (ctx.guard.closed !== null) return total;
  const isDue = () =>
    ctx.writes.manager.existsBy(SealedContent, {
      sealedAt: LessThanOrEqual(ctx.clock.now() - SEALED_MS),
    });
  // Each append invalidates cached answers.
  while (goesOn() && (await isDue())) {
    const erased = await ctx.ledger.append(async ({ tx, now }) => {
      const due = await tx.manager.find(SealedContent, {
        select: { messageId: true },
        where: { sealedAt: LessThanOrEqual(now - SEALED_MS) },
        order: { sealedAt: 'ASC' },
        take: BATCH,
      });
      const ids = due.map(({ messageId }) => messageId);
      const erasedBy = () => 'removed_by';
      await tx.manager.update(Message, { id: In(ids) }, { erasedBy });
      await tx.manager.delete(SealedContent, { messageId: In(ids) });
      return () => ids.length;
    });
    total += erased;
    if (erased < BATCH) break;
  }
  return total;
}

/** Starts early and frees enough for a while. */
const BEGIN = 0.9;
const ENOUGH = 0.8;

/**
 * Deletes the oldest unpublished drafts above the cap (spec/board.md §4.8), but
 * none that can still be published or retried; `draftsFull` refuses previews
 * then.
 */
export async function capDrafts(
  ctx: Pick<Context, 'writes' | 'clock'>,
  goesOn: () => boolean,
  maxBytes: number = DRAFTS_MAX_BYTES,
): Promise<number> {
  const { writes, clock } = ctx;
  const begin = maxBytes * BEGIN;
  let excess = await draftBytes(writes, begin);
  if (excess <= begin) return 0;
  excess = Math.ceil(excess - maxBytes * ENOUGH);
  let total = 0;
  while (excess > 0 && goesOn()) {
    const { rows, bytes } = await deleteDrafts(writes, clock.now(), excess);
    if (rows === 0) break;
    total += rows;
    excess -= bytes;
  }
  return total;
}
