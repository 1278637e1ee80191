import type { RequestHandler } from 'express';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { sendJson } from '../http/conditional.js';
import { pathUuid } from '../http/query.js';
import type { Receipt } from '../openapi/receipt.js';
import type { AcceptedRequest } from './answers.js';
import { trust } from './envelope.js';
import { type MessageRow, messageColumns } from './message-columns.js';
import { publicMessage } from './message-view.js';

type Row = MessageRow & { receipt: string };

/**
 * GET /api/requests/{uuid}: the accepted message, whole, and the receipt of
 * its first publication; a tombstone once it is removed (decisions 2.9).
 */
export function readRequest(ctx: Context): RequestHandler {
  const { baseUrl } = ctx.config;
  const referencesMax = ctx.limits.references_max;
  const statement = `SELECT ${messageColumns('m', [], referencesMax)}, w.receipt
    FROM write_request w JOIN message m ON m.id = w.message_id
    WHERE w.request_id = $1`;
  return async (req, res) => {
    const requestId = pathUuid(req.params.uuid);
    const [row] =
      requestId === null
        ? []
        : await ctx.reads.query<Row>(statement, [requestId]);
    if (row === undefined) throw missing();
    const options = { baseUrl, referencesMax, preview: 0, full: true };
    const receipt = JSON.parse(row.receipt) as Receipt;
    const answer: AcceptedRequest = {
      ...publicMessage(row, options),
      ...trust(baseUrl),
      receipt,
    };
    sendJson(req, res, answer, { cache: 'no-store' });
  };
}

function missing(): BoardError {
  return new BoardError(
    'message_not_found',
    'No accepted request has this UUID; one in flight may still complete, and sending the same content with it again is safe.',
  );
}
