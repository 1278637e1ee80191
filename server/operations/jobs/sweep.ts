import { DAY_MS, utcDay } from '../../clock.js';
import type { Context } from '../../context.js';
import { SEALED_MS } from '../../moderation/removed-content.js';
import { capDrafts } from './cap-drafts.js';
import type { Rows } from './job.js';
import { type Bounds, SWEEPS } from './sweeps.js';

const HOUR_MS = 3_600_000;
/** A run takes so long at most; what is left is for the next one. */
const RUN_MS = 4000;

export type SweepContext = Pick<
  Context,
  'writes' | 'clock' | 'limits' | 'ledger' | 'guard'
>;

/** The times before which each kind of row is of no use any more. */
function bounds({ limits }: SweepContext, now: number): Bounds {
  const recovery = limits.ticket_recovery_hours * HOUR_MS;
  return {
    now,
    tickets: now - recovery,
    locks: now - recovery - limits.ticket_seconds * 1000,
    spends: now - 25 * HOUR_MS,
    heads: now - 49 * HOUR_MS,
    sessionDay: utcDay(now - DAY_MS),
    visitorDay: utcDay(now - 34 * DAY_MS),
    errorDay: utcDay(now - 400 * DAY_MS),
    relays: now - 7 * DAY_MS,
    attempts: now - HOUR_MS / 4,
    idleSessions: now - 12 * HOUR_MS,
  };
}

/**
 * One run of the sweeper (spec/board.md §11): deletes what has passed its time,
 * in batches of at most a thousand rows, and answers how many of each kind.
 */
export async function sweep(
  ctx: SweepContext,
  signal: AbortSignal,
): Promise<Rows> {
  const began = performance.now();
  const goesOn = () => !signal.aborted && performance.now() - began < RUN_MS;
  const before = bounds(ctx, ctx.clock.now());
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
  return rows;
}

/** Few at a time: decisions and publications wait for the head lock. */
const BATCH = 100;

/**
 * Destroys the texts of messages that were removed 30 days ago (spec/mesh.md
 * §B4, Removal), under the head lock, where a reinstatement could meet it. The
 * decision that removed them is the one that erases them.
 */
async function eraseOldSeals(
  ctx: Pick<Context, 'ledger' | 'guard'>,
  goesOn: () => boolean,
): Promise<number> {
  let total = 0;
  // The log takes nothing just now, which its operator has been told.
  if (ctx.guard.closed !== null) return total;
  while (goesOn()) {
    const erased = await ctx.ledger.append(async ({ tx, now }) => {
      const due = await tx.query<{ message_id: number }>(
        `SELECT message_id FROM sealed_content WHERE sealed_at <= $1
         ORDER BY sealed_at LIMIT ${BATCH}`,
        [now - SEALED_MS],
      );
      const ids = due.map(({ message_id: id }) => id);
      await tx.query(
        'UPDATE message SET erased_by = removed_by WHERE id = ANY($1::bigint[])',
        [ids],
      );
      await tx.query(
        'DELETE FROM sealed_content WHERE message_id = ANY($1::bigint[])',
        [ids],
      );
      return () => ids.length;
    });
    total += erased;
    if (erased < BATCH) break;
  }
  return total;
}
