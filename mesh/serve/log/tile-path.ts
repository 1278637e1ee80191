import type { Request, Response } from 'express';
import { parseTilePath, type Tile } from '../../../protocol/tile.js';
import { BoardError } from '../../../server/errors.js';
import { sendBytes } from '../../../server/http/conditional.js';

/** Tiles of a log never change; partial ones stay beside the full one. */
export function sendTile(req: Request, res: Response, bytes: Uint8Array): void {
  const type = 'application/octet-stream';
  sendBytes(req, res, bytes, { cache: 'immutable', type });
}

export function noTile(): BoardError {
  return new BoardError(
    'not_found',
    'There is no such tile: full ones exist once complete, partial ones up to the width the log has reached.',
  );
}

/** The tile a path names, in its one spelling; anything else is a 404. */
export function tileOf(req: Request): Tile {
  const tile = parseTilePath(req.path.replace(/^\/tile\//, ''));
  if (!tile.ok) throw noTile();
  return tile.value;
}
