import { parseLogOrigin } from '../../protocol/board-name.js';
import { equalBytes } from '../../protocol/bytes.js';
import { rootPlan } from '../../protocol/plan.js';
import { foldRoots } from '../../protocol/tree.js';
import { LogState } from '../db/entities/log.js';
import type { Sql } from '../db/sql.js';
import { BoardError } from '../errors.js';
import type { KeptHead } from './head-file.js';
import { lookupIn, OWN_LOG, readHashes } from './own-log.sql.js';

/** A peer's copy of our log, with our signature. */
export type Witnessed = {
  peer: string;
  origin: string;
  size: number;
  root: Uint8Array;
};

type Own = { origin: string; size: number; signed: boolean };

const RETRY_SECONDS = 30;
const RESTORE = 'run "reserve-board log restore --from <peer>"';
const OR_END = 'or "reserve-board log new-generation" if no mirror has';

/** A sentence with its fix, or null. `sql` null: no database yet. */
export async function fileConflict(
  sql: Sql | null,
  kept: KeptHead | null,
  answered: boolean,
): Promise<string | null> {
  if (kept === null) return null;
  const own = await ownLog(sql);
  if (own !== null && isFormer(kept.origin, own.origin)) return null;
  if (own !== null && own.origin !== kept.origin) {
    return `DATA_DIR/log.head belongs to the log ${kept.origin} and the database holds ${own.origin}; give the node its own DATA_DIR or database`;
  }
  const size = own?.size ?? 0;
  if (size < kept.size) {
    return `its log has ${size} entries and DATA_DIR/log.head remembers ${kept.size}; ${RESTORE} to pull the missing ones from a mirror, ${OR_END} them`;
  }
  if (sql === null || !(await holds(sql, kept))) {
    return `its log is not the one that DATA_DIR/log.head remembers at ${kept.size} entries; ${RESTORE}`;
  }
  if (kept.restoring) {
    return `a restore of its log was interrupted after ${size} entries; ${RESTORE} again`;
  }
  if (kept.restored && !answered) {
    return 'it was restored from a backup and no peer has answered yet; start the node and wait, and only where no board mirrors this one run "reserve-board restore --no-peers"';
  }
  return null;
}

/** For an empty log or an unfinished restore (spec/board.md §16.22). */
export async function emptyLogConflict(
  sql: Sql | null,
): Promise<string | null> {
  const own = await ownLog(sql);
  if (own === null || own.size === 0) {
    return `its seed existed before this start, but its database holds no entry of a log; ${RESTORE} to pull the log back from a mirror, ${OR_END} it. Only if the seed has never signed anything, or its first start was interrupted before the board could be read, run "reserve-board log begin" (unattended: LOG_BEGIN in .env.example)`;
  }
  if (own.signed) return null;
  return `a restore of its log was interrupted after ${own.size} entries; ${RESTORE} again`;
}

export function writesClosed(why: string): BoardError {
  return new BoardError(
    'log_guard',
    `This board takes no writes just now: ${why}. Reading goes on; its operator has to act, so retry later.`,
    { retry_after_seconds: RETRY_SECONDS },
  );
}

export async function peerConflict(
  sql: Sql,
  seen: readonly Witnessed[],
): Promise<string | null> {
  if (seen.length === 0) return null;
  const own = await ownLog(sql);
  const size = own?.size ?? 0;
  for (const { peer, origin } of seen) {
    if (own === null || !isFormer(own.origin, origin)) continue;
    return `its database holds ${own.origin}, and the mirror of ${peer} a later generation of that log, ${origin}, under this board's own signature; run "reserve-board log restore" on an empty database, or "reserve-board log new-generation" on this one`;
  }
  for (const witnessed of seen) {
    const { peer } = witnessed;
    if (witnessed.size > size) {
      return `its log has ${size} entries and the mirror of ${peer} holds ${witnessed.size} under this board's own signature; run "reserve-board log restore"`;
    }
    if (!(await holds(sql, witnessed))) {
      return `the mirror of ${peer} holds another history under this board's own signature, at ${witnessed.size} entries; run "reserve-board log restore"`;
    }
  }
  return null;
}

/** Whether it is an earlier generation of the present log. */
export function isFormer(origin: string, present: string): boolean {
  const [before, now] = [parseLogOrigin(origin), parseLogOrigin(present)];
  return (
    before !== null &&
    before.name === now?.name &&
    before.generation < now.generation
  );
}

/** `signed`: its checkpoint has this size. */
async function ownLog(sql: Sql | null): Promise<Own | null> {
  const row = await sql?.manager.findOneBy(LogState, { originId: OWN_LOG });
  if (!row) return null;
  const { origin, size, checkpoint } = row;
  return { origin, size, signed: checkpoint.split('\n')[1] === `${size}` };
}

/** Whether the own log, which is long enough, has this root at this size. */
export async function holds(
  sql: Sql,
  { size, root }: { size: number; root: Uint8Array },
): Promise<boolean> {
  const plan = rootPlan(size);
  const hashes = await readHashes(sql, OWN_LOG, plan);
  return equalBytes(foldRoots(plan.map(lookupIn(hashes))), root);
}
