import type { RequestHandler } from 'express';
import type { Context } from '../context.js';
import { trust } from '../envelope.js';
import { BoardError } from '../errors.js';
import { sendJson } from '../http/conditional.js';
import { pathInteger } from '../http/query.js';
import type { SelectionRead } from './contract.js';
import { selectionCards } from './selection-rows.js';
import { selectionsOf } from './selection-view.js';

/** GET /api/selections/{id}: one collection; 404 `selection_not_found`. */
export function readSelection(ctx: Context): RequestHandler {
  const { baseUrl } = ctx.config;
  return async (req, res) => {
    const id = pathInteger(req.params.id);
    const rows = id === null ? [] : await selectionCards(ctx.reads, id);
    const [selection] = selectionsOf(rows, baseUrl);
    if (selection === undefined) {
      throw new BoardError(
        'selection_not_found',
        `No selection has this ID; ${baseUrl}/api/selections lists them.`,
      );
    }
    const answer: SelectionRead = { ...selection, ...trust(baseUrl) };
    sendJson(req, res, answer, { cache: 'revalidate' });
  };
}
