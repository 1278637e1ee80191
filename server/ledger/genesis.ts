import { logOrigin, parseLogOrigin } from '../../protocol/board-name.js';
import { formatVkey } from '../../protocol/vkey.js';
import type { Clock } from '../clock.js';
import { type Config, ConfigError } from '../config.js';
import type { Database, Tx } from '../db/sql.js';
import { type BoardKeys, boardKeys } from '../keys.js';
import { readHeadFile } from '../log-head-file.js';
import { beginLog } from './begin-log.js';
import { type BoardIdentity, recordIdentity } from './record-identity.js';

export type { BoardIdentity };
/** Asked before a start signs anything: the log may have been rolled back. */
export type MayAppend = (own: BoardIdentity) => Promise<boolean>;
type Kept = {
  board: string;
  origin: string;
  log_vkey: string;
  identity: string;
};

/**
 * Makes the board's log at the first start, and afterwards checks that name
 * and log key are still the ones it began with. A changed address or changed
 * mirror or node key becomes a further `board` entry (mesh.md B4); neither is
 * signed when `mayAppend` says no, and the log is then made empty or left.
 *
 * @throws ConfigError with the mend when name or log key do not fit.
 */
export async function openBoard(
  db: Database,
  config: Config,
  boardSeed: string,
  clock: Clock,
  mayAppend: MayAppend = () => Promise.resolve(true),
): Promise<BoardIdentity> {
  const seeds = { ...config, boardSeed };
  return await db.transaction(async (tx) => {
    // Two first starts at once must not make two logs.
    await tx.query("SELECT pg_advisory_xact_lock(hashtext('board genesis'))");
    const kept = await readKept(tx);
    const board = keptName(kept, config);
    const origin = kept?.origin ?? (await firstOrigin(board, config.dataDir));
    const keys = boardKeys(seeds, board, origin);
    const own = { board, origin, keys };
    if (kept === undefined) await beginLog(tx, own);
    else checkLogKey(kept, keys);
    const note = kept?.identity;
    await recordIdentity(tx, note, own, config, seeds, clock, mayAppend);
    return own;
  });
}

async function readKept(tx: Tx): Promise<Kept | undefined> {
  const [row] = await tx.query<Kept>(
    `SELECT board, origin, log_vkey, identity FROM log_state
     WHERE origin_id = 0`,
  );
  return row;
}

function keptName(kept: Kept | undefined, config: Config): string {
  const asked = config.boardName ?? new URL(config.baseUrl).host;
  if (kept === undefined || config.boardName === null) {
    return kept?.board ?? asked;
  }
  if (kept.board === asked) return asked;
  throw new ConfigError([
    `BOARD_NAME is ${asked}, but this board was first started as ${kept.board} and a name is kept for ever; set BOARD_NAME=${kept.board} or start a new board with another DATA_DIR or DATABASE_URL.`,
  ]);
}

/** An empty database may stand beside the head file of a later generation. */
async function firstOrigin(board: string, dataDir: string): Promise<string> {
  const kept = await readHeadFile(dataDir);
  const known = kept !== null && parseLogOrigin(kept.origin)?.name === board;
  return known ? kept.origin : logOrigin(board);
}

function checkLogKey(kept: Kept, keys: BoardKeys): void {
  if (kept.log_vkey === formatVkey(keys.log.vkey)) return;
  throw new ConfigError([
    `The log key in use does not belong to this board's log (${kept.origin}); restore the BOARD_SEED or the board.seed file that the database was made with. If that key is lost for good, "reserve-board log new-generation" goes on under a new one.`,
  ]);
}
