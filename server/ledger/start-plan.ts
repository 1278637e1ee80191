import { logOrigin, parseLogOrigin } from '../../protocol/board-name.js';
import { formatVkey } from '../../protocol/vkey.js';
import { utcDay } from '../clock.js';
import type { Config } from '../config.js';
import { assertFolder } from '../db/embedded/room.js';
import { LogState } from '../db/entities/log.js';
import type { Sql } from '../db/sql.js';
import { boardKeys } from './board-keys.js';
import {
  isUnused,
  newSeed,
  readSeed,
  StartRefusal,
  seedFile,
} from './board-seed.js';
import { headFile, type KeptHead, readHeadFile } from './head-file.js';
import { RECORDED } from './own-log.sql.js';
import type { BoardIdentity } from './record-identity.js';

/** Why the first entry may be signed (spec/board.md §16.22). */
type Permission =
  | 'new seed'
  /** Made by an earlier start, which signed nothing. */
  | 'unused seed'
  | 'log begin'
  | 'LOG_BEGIN';

export type StartPlan = {
  own: BoardIdentity;
  /** Not stored yet where it is new. */
  boardSeed: string;
  /** Null where no log is recorded. */
  kept: LogState | null;
  head: KeptHead | null;
  /** Null where a log is recorded or none may be begun. */
  permission: Permission | null;
};

/**
 * For the start and for `doctor`.
 * @param sql null where there is no database yet.
 * @param begin an operator runs `log begin`.
 * @throws StartRefusal with the fix where seed, name or log key do not fit
 */
export async function planStart(
  sql: Sql | null,
  config: Config,
  now: number,
  begin = false,
): Promise<StartPlan> {
  const { seed, unused, head } = await readStartFiles(config);
  const states = sql?.manager.createQueryBuilder(LogState, 's');
  const kept = (await states?.where(RECORDED).getOne()) ?? null;
  if (kept !== null && seed === null) {
    const { size, origin } = kept;
    const proof = `the database holds ${size} entries of ${origin}`;
    throw missingSeed(config.dataDir, proof);
  }
  const boardSeed = seed ?? newSeed();
  const board = boardName(kept, head, config);
  // An empty database may be beside the head file of a later generation.
  const origin = kept?.origin ?? head?.origin ?? logOrigin(board);
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

function boardName(
  kept: LogState | null,
  head: KeptHead | null,
  { boardName: asked, baseUrl }: Config,
): string {
  if (kept !== null) assertName(asked, kept.board);
  const known = kept?.board ?? parseLogOrigin(head?.origin ?? '')?.name;
  return known ?? asked ?? new URL(baseUrl).host;
}

function checkLogKey(kept: LogState, { keys }: BoardIdentity): void {
  if (kept.logVkey === formatVkey(keys.log.vkey)) return;
  throw new StartRefusal(
    'log key',
    `The log key in use does not belong to this board's log (${kept.origin}); restore the BOARD_SEED or the board.seed file that the database was made with. If that key is lost for good, "reserve-board log new-generation" goes on under a new one.`,
  );
}

/**
 * Before the database is opened; writes nothing.
 * @throws StartRefusal for a damaged file, a missing seed or another name
 */
export async function readStartFiles(
  config: Pick<Config, 'boardSeed' | 'dataDir' | 'boardName'>,
) {
  const { dataDir, boardName } = config;
  await assertFolder(dataDir);
  const seed = await readSeed(config);
  const head = await readHeadFile(dataDir);
  if (seed === null && head !== null) {
    const { size, origin } = head;
    throw missingSeed(
      dataDir,
      `${headFile(dataDir)} remembers ${size} entries of ${origin}`,
    );
  }
  const first = parseLogOrigin(head?.origin ?? '')?.name;
  if (first !== undefined) assertName(boardName, first);
  // Made here and not used yet.
  const unused = seed !== null && (await isUnused(dataDir, seed));
  return { seed, unused, head };
}

/** @throws StartRefusal where the settings ask for another name */
function assertName(asked: string | null, first: string): void {
  if (asked === null || asked === first) return;
  throw new StartRefusal(
    'board name',
    `BOARD_NAME is ${asked}, but this board was first started as ${first}, and a name never changes; set BOARD_NAME=${first}, or start a new board with another DATA_DIR and DATABASE_URL.`,
  );
}

/** `proof`: how it is known that a log was begun. */
function missingSeed(dataDir: string, proof: string): StartRefusal {
  return new StartRefusal(
    'board seed',
    `${seedFile(dataDir)} is missing, but this board's log was begun with it (${proof}); restore it from your backup, or set DATA_DIR or BOARD_SEED to those of the board. If it is lost for good, "reserve-board log new-generation --new-seed" goes on under a new one.`,
  );
}
