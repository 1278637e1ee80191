import { parseLogOrigin } from '../../protocol/board-name.js';
import { decodeFrontier, type Frontier } from '../../protocol/frontier.js';
import { parseVkey, type Vkey } from '../../protocol/vkey.js';
import type { Sql } from '../../server/db/sql.js';

/** The end of a mirrored log as this node has verified it. */
export type MirrorLog = {
  originId: number;
  board: string;
  origin: string;
  logVkey: Vkey;
  frontier: Frontier;
  /** 0 before the first post of a generation. */
  lastMessageId: number;
  /** Of the first post it holds; absent or 0 before there is one. */
  firstMessageId?: number;
  /** Highest `at` so far, in ms. */
  lastAt: number;
};

type Row = {
  board: string;
  origin: string;
  log_vkey: string;
  size: number;
  frontier: Buffer;
  last_message_id: number;
  last_at: number;
};

/** Null where the log is not opened, or its pinned key cannot be read. */
export async function readMirrorLog(
  sql: Sql,
  originId: number,
): Promise<MirrorLog | null> {
  const [row] = await sql.query<Row>(
    `SELECT board, origin, log_vkey, size, frontier, last_message_id, last_at
     FROM log_state WHERE origin_id = $1`,
    [originId],
  );
  const vkey = row === undefined ? null : parseVkey(row.log_vkey);
  if (row === undefined || vkey === null || !vkey.ok) return null;
  return {
    originId,
    board: row.board,
    origin: row.origin,
    logVkey: vkey.value,
    frontier: decodeFrontier(row.size, row.frontier),
    lastMessageId: row.last_message_id,
    firstMessageId: await firstId(sql, originId, row.origin),
    lastAt: row.last_at,
  };
}

/** Asked of later generations only: in the first one all IDs are its own. */
async function firstId(
  sql: Sql,
  originId: number,
  origin: string,
): Promise<number> {
  if (parseLogOrigin(origin)?.generation === 1) return 0;
  const [row] = await sql.query<{ first: number | null }>(
    'SELECT min(id) AS first FROM mirror_message WHERE origin_id = $1',
    [originId],
  );
  return row?.first ?? 0;
}
