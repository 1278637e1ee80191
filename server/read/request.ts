import type { RequestHandler } from 'express';
import type { Context } from '../context.js';
import { trust } from '../envelope.js';
import { BoardError } from '../errors.js';
import { sendJson } from '../http/conditional.js';
import { LongPoll } from '../http/long-poll.js';
import { pathUuid, readQuery } from '../http/query.js';
import type { Receipt } from '../openapi/receipt.js';
import type { OtherBoards } from '../other-boards.js';
import type { AcceptedRequest } from '../threads/answers.js';
import { type MessageRow, messageColumns } from '../threads/message-columns.js';
import { publicMessage } from '../threads/message-view.js';

type Row = MessageRow & { receipt: string };

/**
 * GET /api/requests/{uuid}: the accepted message, whole, and the receipt of
 * its first publication; a tombstone once it is removed (spec/board.md §2.9).
 * Of a post for another board its state there (spec/mesh.md §B10), waited for
 * with
 * `wait` while it is pending.
 */
export function readRequest(ctx: Context, others: OtherBoards): RequestHandler {
  const waits = new LongPoll(ctx, 'relays');
  const readOwn = ownRequests(ctx);
  return async (req, res) => {
    const wait = readQuery(req).integer('wait', {
      max: ctx.limits.wait_max_seconds,
      default: 0,
    });
    const requestId = pathUuid(req.params.uuid);
    if (requestId === null) throw missing();
    const answer =
      (await readOwn(requestId)) ??
      (await waits.until(
        req,
        res,
        wait,
        () => others.state(requestId),
        (state) => state?.status !== 'relay_pending',
      ));
    if (answer === null) throw missing();
    if (!res.destroyed) sendJson(req, res, answer, { cache: 'no-store' });
  };
}

function ownRequests(
  ctx: Context,
): (requestId: string) => Promise<AcceptedRequest | null> {
  const { baseUrl } = ctx.config;
  const referencesMax = ctx.limits.references_max;
  const statement = `SELECT ${messageColumns('m', [], referencesMax)}, w.receipt
    FROM write_request w JOIN message m ON m.id = w.message_id
    WHERE w.request_id = $1`;
  const options = { baseUrl, referencesMax, preview: 0, full: true };
  return async (requestId) => {
    const [row] = await ctx.lookups.query<Row>(statement, [requestId]);
    if (row === undefined) return null;
    const receipt = JSON.parse(row.receipt) as Receipt;
    return { ...publicMessage(row, options), ...trust(baseUrl), receipt };
  };
}

function missing(): BoardError {
  return new BoardError(
    'message_not_found',
    'No accepted request has this UUID; one in flight may still complete, and sending the same content with it again is safe.',
  );
}
