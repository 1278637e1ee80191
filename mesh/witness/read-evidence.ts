import { BoardError } from '../../server/errors.js';
import { JSON_TYPE, sendBytes } from '../../server/http/conditional.js';
import { readEndpoint, SENT } from '../../server/http/endpoint.js';
import { EXAMPLE_CHECKPOINT } from '../../server/http/openapi/examples.js';
import { ok } from '../../server/http/openapi/operation.js';
import { sha256Hex } from '../../server/http/openapi/scalars.js';
import { meshRead } from '../serve/log/mesh-read.js';
import { evidence } from './answers.js';

/**
 * One piece of evidence, exactly the bytes that its name is the hash of
 * (spec/mesh.md §B8). Verify it; this board's word is no part of it.
 */
export const readEvidence = readEndpoint({
  get: '/api/mesh/evidence/:sha256',
  id: 'readEvidence',
  tag: 'Mesh',
  summary: 'One piece of evidence',
  description: 'Exactly the bytes whose SHA-256 is its name.',
  ...meshRead,
  params: {
    sha256: sha256Hex
      .describe('Of the evidence, in hex.')
      .meta({ examples: ['0'.repeat(64)] }),
  },
  missing: unknown,
  answers: () =>
    ok('The evidence.', evidence, {
      format: 'reserve-board/evidence/v1',
      kind: 'equivocation',
      origin: 'board-a.example/log',
      log_vkey: 'board-a.example/log+01234567+AQID',
      first: EXAMPLE_CHECKPOINT,
      second: EXAMPLE_CHECKPOINT,
    }),
  errors: ['not_found', 'unavailable'],
  cache: 'immutable',
  handle:
    (ctx) =>
    async ({ params: { sha256 }, req, res }) => {
      const [row] = await ctx.reads.query<{ bytes: Buffer }>(
        "SELECT bytes FROM evidence WHERE sha256 = decode($1, 'hex')",
        [sha256],
      );
      if (row === undefined) throw unknown();
      sendBytes(req, res, row.bytes, { cache: 'immutable', type: JSON_TYPE });
      return SENT;
    },
});

function unknown(): BoardError {
  return new BoardError(
    'not_found',
    'This board holds no such evidence; /api/mesh/evidence lists what it holds.',
  );
}
