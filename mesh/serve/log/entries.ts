import type { RequestHandler } from 'express';
import { TILE_WIDTH } from '../../../protocol/limits.js';
import { encodeEntryBundle } from '../../../protocol/tile.js';
import type { Context } from '../../../server/context.js';
import type { LogOf } from './log-of.js';
import { noTile, sendTile, tileOf } from './tile-path.js';

/** GET {log}/tile/entries/<N>[.p/<W>]: the leaves themselves, in a bundle. */
export function entries(ctx: Context, logOf: LogOf): RequestHandler {
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
