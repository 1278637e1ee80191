import type { RequestHandler } from 'express';
import type { Context } from '../context.js';
import { sendJson } from '../http/conditional.js';
import { roomList } from '../threads/rooms.js';

/**
 * GET /api/rooms (spec/board.md §2.13): the four rooms, removed texts left out.
 */
export function rooms(ctx: Context): RequestHandler {
  return async (req, res) => {
    sendJson(req, res, await roomList(ctx), { cache: 'revalidate' });
  };
}
