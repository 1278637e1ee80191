import type { RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { Context } from '../../server/context.js';
import { BoardError } from '../../server/errors.js';
import { requestNetwork } from '../../server/http/network.js';
import { naturalNumber } from '../../server/http/openapi/common.js';
import { isRead } from '../../server/http/post-action.js';
import { integer } from '../../server/http/query.js';

/** `own`: texts are in the board's own tables, also for closed generations. */
export type KeptLog = { originId: number; own: boolean };

/** `/log`, `/log<n>` or `/mirror/<hash>`. */
export function logOf({ locals }: Response): KeptLog {
  const { log } = locals as { log?: KeptLog };
  if (log === undefined) throw new Error('a request without its log');
  return log;
}

export function setLog({ locals }: Response, log: KeptLog): void {
  locals.log = log;
}

/** Of logs and mirrored boards (spec/mesh.md §B11). */
export const MESH_GETS = [
  'mesh_gets_per_network_minute',
  'mesh_get_bytes_per_network_minute',
] as const;

/** Of waiting reads, too. */
export const MESH_WAITS = [
  'mesh_waits_per_network',
  'mesh_waits_total',
] as const;

/**
 * Requests and bytes per network and minute (spec/mesh.md §B11). Bytes are
 * counted after the answer, so the next one is refused.
 */
export function countMeshGets(ctx: Context): RequestHandler {
  return (req, res, next) => {
    if (!isRead(req)) return next();
    const network = requestNetwork(req, ctx.trustedProxies);
    ctx.readLimiter.assertRoom('mesh_get_bytes_per_network_minute', network);
    ctx.readLimiter.take('mesh_gets_per_network_minute', network);
    const { socket } = req;
    const before = socket.bytesWritten;
    res.once('close', () => {
      // With headers, compressed.
      const sent = socket.bytesWritten - before;
      ctx.readLimiter.add('mesh_get_bytes_per_network_minute', network, sent);
    });
    next();
  };
}

export const meshRead = {
  uncounted: true,
  limits: MESH_GETS,
  passes: (ctx: Context) => [countMeshGets(ctx)],
} as const;

/** Required, unlike elsewhere. */
export function requiredInteger() {
  return integer()
    .optional()
    .transform((value, ctx): number => {
      if (value !== undefined) return value;
      ctx.issues.push({
        code: 'custom',
        input: value,
        message: 'is required.',
      });
      return z.NEVER;
    })
    .pipe(naturalNumber);
}

/** 503 until `log restore` (spec/mesh.md §B4, spec/board.md §16.22). */
export function lostLog(): BoardError {
  return new BoardError(
    'log_guard',
    'The log of this board is not here: it was lost and is not restored yet, or was never begun. Ask its peers for their mirrors of it.',
    { retry_after_seconds: 30 },
  );
}
