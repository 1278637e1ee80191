import type { RequestHandler } from 'express';
import { formatVkey } from '../../protocol/vkey.js';
import type { Context } from '../../server/context.js';
import { BoardError } from '../../server/errors.js';
import { EXAMPLE_CHECKPOINT } from '../../server/http/openapi/examples.js';
import { uncounted } from '../../server/http/openapi/operation.js';
import { sendText } from '../../server/http/send.js';
import { logOf, MESH_GETS } from './log-reads.js';
import { mirroredHead, ownHead } from './logs.sql.js';

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
 * The signed head as it was stored, followed by the cosignatures it has; of a
 * mirrored log the newest head reached, with ours once it is given
 * (spec/mesh.md §B4).
 */
export function checkpoint(ctx: Context): RequestHandler {
  const mirrorVkey = formatVkey(ctx.keys.mirror.vkey);
  return async (req, res) => {
    const { originId, own } = logOf(res);
    const head = own
      ? await ownHead(ctx.reads, originId)
      : await mirroredHead(ctx.reads, originId, mirrorVkey);
    if (head === null) {
      throw new BoardError(
        'unavailable',
        'No signed head of this log has been reached here yet; ask again later.',
        { retry_after_seconds: 10 },
      );
    }
    sendText(req, res, head.checkpoint, { cache: 'revalidate' });
  };
}
