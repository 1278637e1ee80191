import { DAY_MS, utcDay } from '../../clock.js';
import type { Context } from '../../context.js';
import { capDrafts } from './cap-drafts.js';
import { eraseOldSeals } from './erase-old-seals.js';
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
