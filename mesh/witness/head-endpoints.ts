import { z } from 'zod';
import { Peer } from '../../server/db/entities/peer.js';
import { PULLABLE } from '../../server/db/pullable.js';
import { BoardError } from '../../server/errors.js';
import { SENT, writeEndpoint } from '../../server/http/endpoint.js';
import { bareForNodes } from '../../server/http/headers.js';
import { EXAMPLE_CHECKPOINT } from '../../server/http/openapi/examples.js';
import { endAnswer } from '../../server/http/send.js';
import { logSize } from './known-logs.js';
import { cosignRequest, takeCosignature } from './take-cosignature.js';
import { endBackOff } from './witness.sql.js';

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
const HINT_LIMIT = 'mesh_hints_per_network_minute';

/** From anybody: ends a back-off, once in 30 s (spec/mesh.md §B7). */
export const hintMesh = writeEndpoint({
  post: '/api/mesh/hint',
  id: 'hintMesh',
  tag: 'Mesh',
  summary: "Hint that a peer's log has grown",
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
  limits: [HINT_LIMIT],
  openWithoutLog: true,
  passes: () => [bareForNodes()],
  handle: (ctx) => {
    const woken = new Map<number, number>();
    return async ({ body: { origin, size }, network }) => {
      ctx.readLimiter.take(HINT_LIMIT, network());
      const peer = await ctx.reads.manager.findOne(Peer, {
        select: { originId: true },
        where: { origin, ...PULLABLE },
      });
      if (peer === null) {
        throw new BoardError(
          'unknown_origin',
          'No active peer of this board has a log of this origin.',
        );
      }
      const { originId } = peer;
      const known = await logSize(ctx.reads, originId);
      const now = ctx.clock.now();
      const last = woken.get(originId);
      const rested =
        last === undefined || Math.abs(now - last) >= WAKE_EVERY_MS;
      if (size >= known && rested) {
        woken.set(originId, now);
        await endBackOff(ctx.writes, originId);
      }
      const json: z.infer<typeof hintAnswer> = { status: 'noted' };
      return { json, status: 202 };
    };
  },
});

const COSIGN_LIMIT = 'mesh_cosigns_per_network_minute';

/** Its own signature authenticates it, not the sender (spec/mesh.md §B7.4). */
export const cosignMesh = writeEndpoint({
  post: '/api/mesh/cosign',
  id: 'cosignMesh',
  tag: 'Mesh',
  summary: "Deliver a cosignature of this board's log",
  description:
    'It authenticates itself: the body must be a checkpoint this board stored, the line one of an active peer.',
  about: "for boards: a peer's cosignature of this log",
  body: () => ({
    schema: cosignRequest,
    example: {
      body: `${EXAMPLE_CHECKPOINT.split('\n').slice(0, 3).join('\n')}\n`,
      log: '— board-a.example/log yZIB34d+LtfU',
      cosignature: '— board-b.example/mirror ffBHHwAAAABp',
    },
  }),
  answers: () => ({ 204: { description: 'Kept.' } }),
  errors: [
    'bad_note',
    'too_long',
    'unknown_origin',
    'peer_not_allowed',
    'signature_invalid',
    'not_found',
  ],
  limits: [COSIGN_LIMIT],
  openWithoutLog: true,
  passes: () => [bareForNodes()],
  handle:
    (ctx) =>
    async ({ body, network, req, res }) => {
      ctx.readLimiter.take(COSIGN_LIMIT, network());
      await takeCosignature(ctx, body);
      res.status(204).setHeader('Cache-Control', 'no-store');
      endAnswer(req, res);
      return SENT;
    },
});
