import type { Request, RequestHandler, Response, Router } from 'express';
import { concat } from '../../../protocol/bytes.js';
import { TILE_WIDTH } from '../../../protocol/limits.js';
import {
  encodeEntryBundle,
  parseTilePath,
  type Tile,
} from '../../../protocol/tile.js';
import type { Context } from '../../../server/context.js';
import type { Sql } from '../../../server/db/sql.js';
import { BoardError } from '../../../server/errors.js';
import { sendBytes } from '../../../server/http/conditional.js';
import { jsonHeaders } from '../../../server/http/headers.js';
import { bareForNodes } from '../../../server/http/peer-headers.js';
import { route, sliceRouter } from '../../../server/http/route.js';
import { countMeshGets } from '../../count-gets.js';
import { checkpoint } from './checkpoint.js';
import { consistency } from './consistency.js';
import { content } from './content.js';
import { feed } from './feed.js';
import type { LogOf } from './log-of.js';

/**
 * What auditors and peers read of one log (spec/mesh.md §B4): the board's own
 * below
 * `/log` and `/log<n>`, or each mirrored one below
 * `/mirror/<hex sha256(origin)>`.
 */
export function logRouter(ctx: Context, logOf: LogOf): Router {
  const router = sliceRouter();
  router.use(jsonHeaders(), countMeshGets(ctx));
  route(router, '/checkpoint', { get: checkpoint(ctx, logOf) });
  route(router, '/tile/entries/*n', { get: entries(ctx, logOf) });
  route(router, '/tile/*n', { get: tile(ctx, logOf) });
  route(router, '/consistency', { get: consistency(ctx, logOf) });
  const bare = bareForNodes();
  route(router, '/feed', { get: [bare, feed(ctx, logOf)] });
  route(router, '/content', { get: [bare, content(ctx, logOf)] });
  return router;
}

/** GET {log}/tile/entries/<N>[.p/<W>]: the leaves themselves, in a bundle. */
function entries(ctx: Context, logOf: LogOf): RequestHandler {
  return async (req, res) => {
    const { n, width } = tileOf(req);
    const first = n * TILE_WIDTH;
    if (!Number.isSafeInteger(first + width)) throw noTile();
    const rows = await ctx.lookups.query<{ leaf: Buffer }>(
      `SELECT leaf FROM log_entry
       WHERE origin_id = $1 AND idx >= $2 AND idx < $3 ORDER BY idx`,
      [logOf(req).originId, first, first + width],
    );
    if (rows.length < width) throw noTile();
    sendTile(req, res, encodeEntryBundle(rows.map(({ leaf }) => leaf)));
  };
}

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
function tile(ctx: Context, logOf: LogOf): RequestHandler {
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

/** Tiles of a log never change; partial ones stay beside the full one. */
function sendTile(req: Request, res: Response, bytes: Uint8Array): void {
  const type = 'application/octet-stream';
  sendBytes(req, res, bytes, { cache: 'immutable', type });
}

function noTile(): BoardError {
  return new BoardError(
    'not_found',
    'There is no such tile: full ones exist once complete, partial ones up to the width the log has reached.',
  );
}

/** The tile a path names, in its one spelling; anything else is a 404. */
function tileOf(req: Request): Tile {
  const tile = parseTilePath(req.path.replace(/^\/tile\//, ''));
  if (!tile.ok) throw noTile();
  return tile.value;
}
