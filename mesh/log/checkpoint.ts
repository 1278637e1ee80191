import type { RequestHandler } from 'express';
import type { Context } from '../../server/context.js';
import { sendText } from '../../server/http/conditional.js';
import { OWN_LOG } from '../../server/ledger/nodes.js';

/** GET /log/checkpoint: the signed head, byte for byte as it was stored. */
export function checkpoint(ctx: Context): RequestHandler {
  return async (req, res) => {
    const [head] = await ctx.reads.query<{ checkpoint: string }>(
      'SELECT checkpoint FROM log_state WHERE origin_id = $1',
      [OWN_LOG],
    );
    if (head === undefined) throw new Error('the board has no log');
    sendText(req, res, head.checkpoint, { cache: 'revalidate' });
  };
}
