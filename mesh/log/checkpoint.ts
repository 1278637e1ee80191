import type { RequestHandler } from 'express';
import { formatVkey } from '../../protocol/vkey.js';
import type { Context } from '../../server/context.js';
import type { Sql } from '../../server/db/sql.js';
import { BoardError } from '../../server/errors.js';
import { sendText } from '../../server/http/conditional.js';
import type { LogOf } from './log-of.js';
import { ownHead } from './own-head.js';

// Between two pages a mirror's size is one that nobody signed.
const MIRRORED = `SELECT k.note || coalesce((SELECT c.line
    FROM log_cosignature c WHERE c.origin_id = $1 AND c.size = k.size
      AND c.vkey = $2), '') AS checkpoint
  FROM log_state s
  CROSS JOIN LATERAL (SELECT size, note FROM log_checkpoint
    WHERE origin_id = $1 AND size <= s.size
    ORDER BY size DESC LIMIT 1) k
  WHERE s.origin_id = $1`;

/**
 * GET {log}/checkpoint: the signed head as it was stored and below it the
 * cosignatures it has; of a mirrored log the newest head reached, with ours
 * once it is given.
 */
export function checkpoint(ctx: Context, logOf: LogOf): RequestHandler {
  const mirrorVkey = formatVkey(ctx.keys.mirror.vkey);
  return async (req, res) => {
    const { originId, own } = logOf(req);
    const head = own
      ? await ownHead(ctx.lookups, originId)
      : await mirroredHead(ctx.lookups, originId, mirrorVkey);
    if (head === null) throw noHead();
    sendText(req, res, head.checkpoint, { cache: 'revalidate' });
  };
}

async function mirroredHead(
  sql: Sql,
  originId: number,
  mirrorVkey: string,
): Promise<{ checkpoint: string } | null> {
  const [head] = await sql.query<{ checkpoint: string }>(MIRRORED, [
    originId,
    mirrorVkey,
  ]);
  return head ?? null;
}

function noHead(): BoardError {
  return new BoardError(
    'unavailable',
    'No signed head of this log has been reached here yet; ask again later.',
    { retry_after_seconds: 10 },
  );
}
