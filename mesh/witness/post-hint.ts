import { z } from 'zod';
import type { Context } from '../../server/context.js';
import { BoardError } from '../../server/errors.js';
import { writeEndpoint } from '../../server/http/endpoint.js';
import { bareForNodes } from '../../server/http/peer-headers.js';

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
const LIMIT = 'mesh_hints_per_network_minute';

/**
 * Takes a word that a peer's log has grown, from anybody: it only ends a
 * back-off, once in 30 s and peer (spec/mesh.md §B7).
 */
export const hintMesh = writeEndpoint({
  post: '/api/mesh/hint',
  id: 'hintMesh',
  tag: 'Mesh',
  summary: 'Says that a peer has grown',
  description:
    "Ends this board's back-off from that peer, at most once in 30 s. Anybody may send it; nothing in it is believed.",
  about: 'for boards: a peer has grown',
  body: () => ({
    schema: hintRequest,
    example: { origin: 'board-b.example/log', size: 78 },
  }),
  answers: () => ({
    202: {
      description: 'Noted.',
      json: { schema: hintAnswer, example: { status: 'noted' } },
    },
  }),
  errors: ['unknown_origin', 'too_long'],
  limits: [LIMIT],
  openWithoutLog: true,
  passes: () => [bareForNodes()],
  handle: (ctx) => {
    const woken = new Map<number, number>();
    return async ({ body: { origin, size }, network }) => {
      ctx.readLimiter.take(LIMIT, network());
      const [peer] = await ctx.reads.query<{ origin_id: number; size: number }>(
        `SELECT p.origin_id, coalesce(s.size, 0) AS size FROM peer p
         LEFT JOIN log_state s ON s.origin_id = p.origin_id
         WHERE p.origin = $1 AND p.status = 'active'`,
        [origin],
      );
      if (peer === undefined) throw unknown();
      const now = ctx.clock.now();
      const last = woken.get(peer.origin_id);
      const rested =
        last === undefined || Math.abs(now - last) >= WAKE_EVERY_MS;
      if (size >= peer.size && rested) {
        woken.set(peer.origin_id, now);
        await endBackOff(ctx, peer.origin_id);
      }
      const json: z.infer<typeof hintAnswer> = { status: 'noted' };
      return { json, status: 202 };
    };
  },
});

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
