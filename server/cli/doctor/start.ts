import { utcDay } from '../../clock.js';
import type { Config } from '../../config.js';
import type { Database } from '../../db/sql.js';
import type { BoardKeys } from '../../ledger/board-keys.js';
import { StartRefusal } from '../../ledger/board-seed.js';
import {
  emptyLogConflict,
  fileConflict,
} from '../../ledger/rollback-checks.js';
import { RollbackGuard } from '../../ledger/rollback-guard.js';
import { planStart, type StartPlan } from '../../ledger/start-plan.js';
import { silentLogger } from '../../logger.js';
import { failureLines } from '../failure.js';
import { type Check, failOf, ok, warn } from './check.js';
import { seedPlace } from './files.js';

/**
 * Conditions that close writes or refuse a start, judged by its own code
 * (spec/board.md §16.22, §16.23). `db` null: no schema.
 */
export async function startChecks(
  db: Database | null,
  config: Config,
): Promise<Check[]> {
  const now = Date.now();
  try {
    const plan = await planStart(db, config, now);
    return [
      await seedPlace(config, plan.permission === 'new seed'),
      ...(await logChecks(db, config, plan)),
      ...logBegin(config, plan, now),
    ];
  } catch (error) {
    if (!(error instanceof StartRefusal)) {
      return [failOf('start', failureLines(error).join(' '))];
    }
    const { about, message } = error;
    const refused = failOf(about, message);
    return about === 'board seed' || about === 'log head'
      ? [refused]
      : [await seedPlace(config, false), refused];
  }
}

async function logChecks(
  db: Database | null,
  config: Config,
  { own, kept, head, permission }: StartPlan,
): Promise<Check[]> {
  const name = 'log guard';
  if (permission !== null) {
    return [warn(name, `${own.origin} is not begun yet`, 'start begins it')];
  }
  const checks: Check[] = [];
  if (kept !== null) checks.push(ok('log key', kept.logVkey));
  const doubt =
    db === null || kept === null
      ? ((await fileConflict(null, head, false)) ??
        (await emptyLogConflict(null)))
      : await guarded(db, config, own.keys);
  checks.push(
    doubt === null
      ? ok(name, 'writes are open')
      : failOf(name, `writes are closed: ${doubt}`),
  );
  return checks;
}

/** The guard's verdict, peers asked. */
async function guarded(
  db: Database,
  config: Config,
  keys: BoardKeys,
): Promise<string | null> {
  const { askMirrors } = await import('../../../mesh/cli/with-local-board.js');
  const guard = new RollbackGuard({ ...config, db, log: silentLogger });
  guard.ask({ ask: () => askMirrors(config, db, keys) });
  await guard.check();
  return guard.closed;
}

function logBegin(
  { logBegin: day }: Config,
  { permission }: StartPlan,
  now: number,
): Check[] {
  if (day === null || permission === 'LOG_BEGIN') return [];
  const today = utcDay(now);
  const why =
    day === today ? 'has no effect here' : `is not today (UTC: ${today})`;
  return [warn('LOG_BEGIN', `${day} ${why} and is ignored`, 'remove it')];
}
