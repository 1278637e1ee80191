import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { Context } from '../../server/context.js';
import { BoardError } from '../../server/errors.js';
import { sendJson } from '../../server/http/conditional.js';
import { requestNetwork } from '../../server/http/request-network.js';
import { parseBody } from '../../server/http/validate.js';

export const hintRequest = z.strictObject({
  origin: z
    .string()
    .min(1)
    .max(130)
    .describe('The log that has grown.')
    .meta({ examples: ['board-b.example/log'] }),
  size: z
    .int()
    .min(0)
    .max(999_999_999_999_999)
    .describe('Its size as far as the sender knows.')
    .meta({ examples: [78] }),
});
export const hintAnswer = z.object({ status: z.literal('noted') });

const WAKE_EVERY_MS = 30_000;

/**
 * POST /api/mesh/hint {origin, size} → 202 {status: "noted"} (spec/mesh.md
 * §B7): anybody may say that a peer's log has grown. It only ends a back-off,
 * once in 30 s and peer. 404 `unknown_origin` for what is no active peer's.
 */
export function postHint(ctx: Context): RequestHandler {
  const woken = new Map<number, number>();
  return async (req, res) => {
    const { origin, size } = parseBody(hintRequest, req.body);
    const network = requestNetwork(req, ctx.trustedProxies);
    ctx.readLimiter.take('mesh_hints_per_network_minute', network);
    const [peer] = await ctx.reads.query<{ origin_id: number; size: number }>(
      `SELECT p.origin_id, coalesce(s.size, 0) AS size FROM peer p
       LEFT JOIN log_state s ON s.origin_id = p.origin_id
       WHERE p.origin = $1 AND p.status = 'active'`,
      [origin],
    );
    if (peer === undefined) throw unknown();
    const now = ctx.clock.now();
    const last = woken.get(peer.origin_id);
    const rested = last === undefined || Math.abs(now - last) >= WAKE_EVERY_MS;
    if (size >= peer.size && rested) {
      woken.set(peer.origin_id, now);
      await endBackOff(ctx, peer.origin_id);
    }
    const answer: z.infer<typeof hintAnswer> = { status: 'noted' };
    sendJson(req, res, answer, { cache: 'no-store', status: 202 });
  };
}

/** Whichever process pulls the peer hears of it. */
async function endBackOff(ctx: Context, originId: number): Promise<void> {
  await ctx.writes.query(
    `WITH peer AS (
       UPDATE peer SET retry_at = NULL, failures = 0 WHERE origin_id = $1
     )
     SELECT pg_notify('board_peers', $2)`,
    [originId, String(originId)],
  );
}

function unknown(): BoardError {
  return new BoardError(
    'unknown_origin',
    'No active peer of this board has a log of this origin.',
  );
}
