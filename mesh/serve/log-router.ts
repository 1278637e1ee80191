import type { Request, RequestHandler, Response, Router } from 'express';
import { concat } from '../../protocol/bytes.js';
import { TILE_WIDTH } from '../../protocol/limits.js';
import {
  encodeEntryBundle,
  paddedTilePath,
  parseTilePath,
  type Tile,
} from '../../protocol/tile.js';
import type { Context } from '../../server/context.js';
import { LogEntry, LogNode } from '../../server/db/entities/log.js';
import type { Sql } from '../../server/db/sql.js';
import { BoardError } from '../../server/errors.js';
import { bareForNodes } from '../../server/http/headers.js';
import { baseUrlOf } from '../../server/http/post-action.js';
import { route, strictRouter } from '../../server/http/route.js';
import { jsonHeaders, sendBytes } from '../../server/http/send.js';
import { checkpoint, consistency } from './checkpoint.js';
import { content } from './content.js';
import { feed } from './feed.js';
import { countMeshGets, type KeptLog, logOf } from './log-reads.js';

/** spec/mesh.md §B4: `/log`, `/log<n>`, or `/mirror/<hex sha256(origin)>`. */
export function logRouter(ctx: Context): Router {
  const router = strictRouter();
  router.use(jsonHeaders(), countMeshGets(ctx));
  route(router, '/checkpoint', { get: checkpoint(ctx) });
  route(router, '/tile/entries/*n', { get: entries(ctx) });
  route(router, '/tile/*n', { get: tile(ctx) });
  route(router, '/consistency', { get: consistency(ctx) });
  const bare = bareForNodes();
  route(router, '/feed', { get: [bare, feed(ctx)] });
  route(router, '/content', { get: [bare, content(ctx)] });
  return router;
}

/** GET {log}/tile/entries/<N>[.p/<W>] */
function entries({ reads }: Context): RequestHandler {
  return async (req, res) => {
    const range = { ...rangeOf(req), ...logOf(res), level: 0 };
    sendTile(req, res, encodeEntryBundle(await bytesOf(reads, 'leaf', range)));
  };
}

const MAX_LEVEL = 6; // 256^7 leaves are beyond 2^53

/** GET {log}/tile/<L>/<N>[.p/<W>] (C2SP tlog-tiles) */
function tile({ reads }: Context): RequestHandler {
  return async (req, res) => {
    const { level, ...at } = rangeOf(req);
    if (level === 'entries' || level > MAX_LEVEL) throw noTile();
    const range = { ...at, ...logOf(res), level };
    sendTile(req, res, concat(...(await bytesOf(reads, 'hash', range))));
  };
}

/** @throws BoardError `not_found` where a part is missing */
async function bytesOf(
  { manager }: Sql,
  what: 'leaf' | 'hash',
  range: KeptLog & { level: number; first: number; width: number },
): Promise<Uint8Array[]> {
  const { originId, level, first, width } = range;
  const select =
    level === 0
      ? manager
          .createQueryBuilder(LogEntry, 'e')
          .select(what === 'leaf' ? 'e.leaf' : 'e.leafHash', 'bytes')
      : manager
          .createQueryBuilder(LogNode, 'e')
          .select('e.hash', 'bytes')
          .andWhere('e.level = :level', { level: level * 8 });
  const rows = await select
    .andWhere('e.originId = :originId', { originId })
    .andWhere('e.idx >= :first AND e.idx < :end', { first, end: first + width })
    .orderBy('e.idx')
    .getRawMany<{ bytes: Buffer }>();
  if (rows.length < width) throw noTile();
  return rows.map(({ bytes }) => bytes);
}

/** Immutable; partial tiles stay beside full ones. */
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

/** 404 for other spellings, with the right one for missing zeros. */
function rangeOf(req: Request): Omit<Tile, 'n'> & { first: number } {
  const path = req.path.replace(/^\/tile\//, '');
  const tile = parseTilePath(path);
  if (!tile.ok) {
    const padded = paddedTilePath(path);
    if (padded === null) throw noTile();
    const see = `${baseUrlOf(req)}${req.baseUrl}/tile/${padded}`;
    throw new BoardError(
      'not_found',
      `The number of a tile has three digits, or groups of them: ${see}`,
      { see },
    );
  }
  const { level, n, width } = tile.value;
  const first = n * TILE_WIDTH;
  if (!Number.isSafeInteger(first + width)) throw noTile();
  return { level, width, first };
}
