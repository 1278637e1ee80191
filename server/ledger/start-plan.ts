import { logOrigin, parseLogOrigin } from '../../protocol/board-name.js';
import { formatVkey } from '../../protocol/vkey.js';
import { utcDay } from '../clock.js';
import type { Config } from '../config.js';
import type { Sql } from '../db/sql.js';
import { boardKeys } from './board-keys.js';
import { newSeed } from './board-seed.js';
import type { KeptHead } from './head-file.js';
import { RECORDED } from './own-logs.js';
import type { BoardIdentity } from './record-identity.js';
import { assertName, missingSeed, readStartFiles } from './start-files.js';
import { StartRefusal } from './start-refusal.js';

/** The own log as the database records it. */
export type KeptLog = {
  board: string;
  origin: string;
  log_vkey: string;
  identity: string;
  size: number;
};

/** Why a start may sign the first entry of a log (spec/board.md §16.22). */
export type Permission =
  /** The seed does not exist yet: the start makes it. */
  | 'new seed'
  /** It was made by an earlier start, which signed nothing. */
  | 'unused seed'
  | 'log begin'
  | 'LOG_BEGIN';

/** What a start will do, decided before it writes anything. */
export type StartPlan = {
  own: BoardIdentity;
  /** In use from now on; not kept anywhere yet where it is a new one. */
  boardSeed: string;
  /** Null where no log is recorded here. */
  kept: KeptLog | null;
  head: KeptHead | null;
  /** Null where a log is recorded, or none may be begun. */
  permission: Permission | null;
};

/**
 * Decides what a start may do with these files and this database, for the start
 * and for `doctor` alike.
 *
 * @param sql null where there is no database yet.
 * @param begin an operator runs `log begin`.
 * @throws StartRefusal with the fix where seed, name or log key do not fit.
 */
export async function planStart(
  sql: Sql | null,
  config: Config,
  now: number,
  begin = false,
): Promise<StartPlan> {
  const { seed, unused, head } = await readStartFiles(config);
  const kept = sql === null ? null : await readKept(sql);
  if (kept !== null && seed === null) {
    const { size, origin } = kept;
    const proof = `the database holds ${size} entries of ${origin}`;
    throw missingSeed(config.dataDir, proof);
  }
  const boardSeed = seed ?? newSeed();
  const board = boardName(kept, head, config);
  const origin = kept?.origin ?? firstOrigin(board, head);
  const own = {
    board,
    origin,
    keys: boardKeys({ ...config, boardSeed }, board, origin),
  };
  if (kept !== null) checkLogKey(kept, own);
  const permission = (): Permission | null => {
    if (kept !== null || head !== null) return null;
    if (seed === null) return 'new seed';
    if (unused) return 'unused seed';
    if (begin) return 'log begin';
    return config.logBegin === utcDay(now) ? 'LOG_BEGIN' : null;
  };
  return { own, boardSeed, kept, head, permission: permission() };
}

async function readKept(sql: Sql): Promise<KeptLog | null> {
  const [row] = await sql.query<KeptLog>(
    `SELECT board, origin, log_vkey, identity, size
     FROM log_state WHERE ${RECORDED}`,
  );
  return row ?? null;
}

function boardName(
  kept: KeptLog | null,
  head: KeptHead | null,
  { boardName: asked, baseUrl }: Config,
): string {
  if (kept !== null) assertName(asked, kept.board);
  const known = kept?.board ?? parseLogOrigin(head?.origin ?? '')?.name;
  return known ?? asked ?? new URL(baseUrl).host;
}

/**
 * An empty database may be found beside the head file of a later generation.
 */
function firstOrigin(board: string, head: KeptHead | null): string {
  return head?.origin ?? logOrigin(board);
}

function checkLogKey(kept: KeptLog, { keys }: BoardIdentity): void {
  if (kept.log_vkey === formatVkey(keys.log.vkey)) return;
  throw new StartRefusal(
    'log key',
    `The log key in use does not belong to this board's log (${kept.origin}); restore the BOARD_SEED or the board.seed file that the database was made with. If that key is lost for good, "reserve-board log new-generation" goes on under a new one.`,
  );
}
