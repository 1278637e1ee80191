import type { RequestHandler } from 'express';
import { concat } from '../../../protocol/bytes.js';
import { TILE_WIDTH } from '../../../protocol/limits.js';
import type { Context } from '../../../server/context.js';
import type { Sql } from '../../../server/db/sql.js';
import type { LogOf } from './log-of.js';
import { noTile, sendTile, tileOf } from './tile-path.js';

const MAX_LEVEL = 6; // 256^7 leaves are beyond 2^53

const LEAVES = `SELECT leaf_hash AS hash FROM log_entry
  WHERE origin_id = $1 AND idx >= $2 AND idx < $3 ORDER BY idx`;
const NODES = `SELECT hash FROM log_node
  WHERE origin_id = $1 AND level = $4 AND idx >= $2 AND idx < $3
  ORDER BY idx`;

async function hashesFrom(
  sql: Sql,
  originId: number,
  level: number,
  first: number,
  width: number,
): Promise<Uint8Array[]> {
  const range = [originId, first, first + width];
  const rows =
    level === 0
      ? await sql.query<{ hash: Buffer }>(LEAVES, range)
      : await sql.query<{ hash: Buffer }>(NODES, [...range, level * 8]);
  return rows.map(({ hash }) => hash);
}

/** GET {log}/tile/<L>/<N>[.p/<W>] (C2SP tlog-tiles). */
export function tile(ctx: Context, logOf: LogOf): RequestHandler {
  return async (req, res) => {
    const { level, n, width } = tileOf(req);
    const first = n * TILE_WIDTH;
    if (level === 'entries' || level > MAX_LEVEL) throw noTile();
    if (!Number.isSafeInteger(first + width)) throw noTile();
    const { originId } = logOf(req);
    const hashes = await hashesFrom(ctx.lookups, originId, level, first, width);
    if (hashes.length < width) throw noTile();
    sendTile(req, res, concat(...hashes));
  };
}
