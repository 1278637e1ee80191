import type { RequestHandler } from 'express';
import { formatVkey } from '../../../protocol/vkey.js';
import type { Context } from '../../../server/context.js';
import type { Sql } from '../../../server/db/sql.js';
import { BoardError } from '../../../server/errors.js';
import { sendText } from '../../../server/http/conditional.js';
import { EXAMPLE_CHECKPOINT } from '../../../server/http/openapi/examples.js';
import { uncounted } from '../../../server/http/openapi/operation.js';
import type { LogOf } from './log-of.js';
import { MESH_GETS } from './mesh-read.js';
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

export const checkpointOperation = uncounted({
  path: '/log/checkpoint',
  id: 'readCheckpoint',
  tag: 'Log',
  summary: 'The signed head of the log',
  description:
    'A C2SP checkpoint, as it was signed, with the cosignatures that peers gave it. Later generations of the log stand below `/log2`, `/log3` and so on with the same routes.',
  answers: {
    200: {
      description: 'The checkpoint.',
      text: {
        'text/plain': {
          description: 'A signed note.',
          example: EXAMPLE_CHECKPOINT,
        },
      },
    },
  },
  errors: ['log_closed', 'unavailable', 'log_guard'],
  spends: MESH_GETS,
});

/**
 * The signed head as it was stored and below it the cosignatures it has; of a
 * mirrored log the newest head reached, with ours once it is given
 * (spec/mesh.md §B4).
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
