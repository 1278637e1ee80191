import type { RequestHandler } from 'express';
import type { Context } from '../../server/context.js';
import { BoardError } from '../../server/errors.js';
import { JSON_TYPE, sendBytes } from '../../server/http/conditional.js';

const HASH = /^[0-9a-f]{64}$/;

/**
 * GET /api/mesh/evidence/{sha256}: the evidence, exactly the bytes that the
 * name is the hash of. Verify it; this board's word is no part of it.
 */
export function readEvidence(ctx: Context): RequestHandler {
  return async (req, res) => {
    const { sha256 } = req.params;
    const [row] =
      typeof sha256 === 'string' && HASH.test(sha256)
        ? await ctx.reads.query<{ bytes: Buffer }>(
            "SELECT bytes FROM evidence WHERE sha256 = decode($1, 'hex')",
            [sha256],
          )
        : [];
    if (row === undefined) {
      throw new BoardError(
        'not_found',
        'This board holds no such evidence; /api/mesh/evidence lists what it holds.',
      );
    }
    sendBytes(req, res, row.bytes, { cache: 'immutable', type: JSON_TYPE });
  };
}
