import { logOrigin } from '../../protocol/board-name.js';
import { signCheckpoint } from '../../protocol/checkpoint.js';
import {
  emptyFrontier,
  encodeFrontier,
  frontierRoot,
} from '../../protocol/frontier.js';
import {
  type Identity,
  openIdentity,
  signIdentity,
} from '../../protocol/identity.js';
import { formatVkey } from '../../protocol/vkey.js';
import type { Clock } from '../clock.js';
import { type Config, ConfigError } from '../config.js';
import type { Database, Tx } from '../db/sql.js';
import { type BoardKeys, boardKeys } from '../keys.js';
import { runBatch } from './batch.js';

export type BoardIdentity = { board: string; origin: string; keys: BoardKeys };
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
    const origin = kept?.origin ?? logOrigin(board);
    const keys = boardKeys(seeds, board, origin);
    if (kept === undefined) await createLog(tx, board, origin, keys);
    else checkLogKey(kept, keys);
    const own = { board, origin, keys };
    await recordIdentity(tx, kept, own, config, clock, mayAppend);
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

function checkLogKey(kept: Kept, keys: BoardKeys): void {
  if (kept.log_vkey === formatVkey(keys.log.vkey)) return;
  throw new ConfigError([
    `The log key in use does not belong to this board's log (${kept.origin}); restore the BOARD_SEED or the board.seed file that the database was made with.`,
  ]);
}

async function createLog(
  tx: Tx,
  board: string,
  origin: string,
  keys: BoardKeys,
): Promise<void> {
  const frontier = emptyFrontier();
  const empty = { origin, size: 0, root: frontierRoot(frontier) };
  await tx.query(
    `INSERT INTO log_state (origin_id, board, origin, log_vkey, identity, size,
       frontier, last_message_id, last_at, checkpoint)
     VALUES (0, $1, $2, $3, '', 0, $4, 0, 0, $5)`,
    [
      board,
      origin,
      formatVkey(keys.log.vkey),
      Buffer.from(encodeFrontier(frontier)),
      signCheckpoint(empty, keys.log),
    ],
  );
}

async function recordIdentity(
  tx: Tx,
  kept: Kept | undefined,
  { board, origin, keys }: BoardIdentity,
  config: Config,
  clock: Clock,
  mayAppend: MayAppend,
): Promise<void> {
  const before = kept === undefined ? null : openIdentity(kept.identity);
  const facts = {
    name: board,
    url: config.baseUrl,
    origin,
    log: formatVkey(keys.log.vkey),
    mirror: formatVkey(keys.mirror.vkey),
    node: formatVkey(keys.node.vkey),
  };
  if (before?.ok && sameFacts(before.value, facts)) return;
  if (!(await mayAppend({ board, origin, keys }))) return;
  const seq = before?.ok ? before.value.seq + 1 : 0;
  await runBatch(
    tx,
    [
      async (turn) => {
        const identity: Identity = { ...facts, seq, at: turn.at };
        const embedded = signIdentity(identity, keys.log, keys.node);
        turn.append({ type: 'board', at: turn.at, embedded });
        await tx.query(
          'UPDATE log_state SET identity = $1 WHERE origin_id = 0',
          [embedded],
        );
        return () => undefined;
      },
    ],
    clock,
    keys.log,
    '',
  );
}

function sameFacts(
  before: Identity,
  now: Omit<Identity, 'seq' | 'at'>,
): boolean {
  return (
    before.url === now.url &&
    before.mirror === now.mirror &&
    before.node === now.node
  );
}
