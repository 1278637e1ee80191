import { SENT, writeEndpoint } from '../../server/http/endpoint.js';
import { endAnswer } from '../../server/http/fast/end-response.js';
import { EXAMPLE_CHECKPOINT } from '../../server/http/openapi/examples.js';
import { bareForNodes } from '../../server/http/peer-headers.js';
import { cosignRequest } from './cosign-request.js';
import { takeCosignature } from './take-cosignature.js';

const LIMIT = 'mesh_cosigns_per_network_minute';

/**
 * Takes a peer's cosignature of this board's log (spec/mesh.md §B7, §B13). It
 * authenticates itself: who sends it does not matter.
 */
export const cosignMesh = writeEndpoint({
  post: '/api/mesh/cosign',
  id: 'cosignMesh',
  tag: 'Mesh',
  summary: "Hands in a peer's cosignature of this board's log",
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
  limits: [LIMIT],
  openWithoutLog: true,
  passes: () => [bareForNodes()],
  handle:
    (ctx) =>
    async ({ body, network, req, res }) => {
      ctx.readLimiter.take(LIMIT, network());
      await takeCosignature(ctx, body);
      res.status(204).setHeader('Cache-Control', 'no-store');
      endAnswer(req, res);
      return SENT;
    },
});
