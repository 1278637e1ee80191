import { z } from 'zod';
import { meshTime } from '../../server/clock.js';
import { Evidence } from '../../server/db/entities/mirror.js';
import { BoardError } from '../../server/errors.js';
import { readEndpoint, SENT } from '../../server/http/endpoint.js';
import { count, sha256Hex, url } from '../../server/http/openapi/common.js';
import { EXAMPLE_CHECKPOINT } from '../../server/http/openapi/examples.js';
import { ok } from '../../server/http/openapi/operation.js';
import { JSON_TYPE, sendBytes } from '../../server/http/send.js';
import { meshRead } from '../serve/log-reads.js';

const evidenceItem = z.object({
  sha256: sha256Hex,
  origin: z.string(),
  kind: z.string(),
  at: z.string().meta({ format: 'date-time' }),
  url,
});

export const evidenceList = z.object({ data: z.array(evidenceItem), count });
type EvidenceList = z.infer<typeof evidenceList>;

export const evidence = z
  .object({
    format: z.literal('reserve-board/evidence/v1'),
    kind: z.literal('equivocation'),
    origin: z.string(),
    log_vkey: z.string(),
    first: z.string(),
    second: z.string(),
    prefix_root: z.string().exactOptional(),
    consistency: z.array(z.string()).exactOptional(),
  })
  .describe('Proof by itself that one log key signed two histories.');

/** Below 256 KiB, which readers take, with addresses of usual length. */
const LISTED = 300;

/** Evidence that this board has verified, the newest (spec/mesh.md §B8.2). */
export const listEvidence = readEndpoint({
  get: '/api/mesh/evidence',
  id: 'listEvidence',
  tag: 'Mesh',
  summary: 'Verified evidence against logs of peers',
  description:
    'The newest 300, oldest first. Every board verifies it again before it acts on it.',
  about: 'proofs that a log signed two histories; `/{sha256}` gives one',
  ...meshRead,
  answers: ({ baseUrl }) =>
    ok('The list, oldest first.', evidenceList, exampleList(baseUrl)),
  errors: ['unavailable'],
  handle: (ctx) => async () => {
    const rows = await ctx.reads.manager.find(Evidence, {
      select: { sha256: true, origin: true, kind: true, at: true },
      order: { at: 'DESC', sha256: 'DESC' },
      take: LISTED,
    });
    const data = rows.reverse().map(({ sha256: hash, origin, kind, at }) => {
      const sha256 = hash.toString('hex');
      const url = `${ctx.config.baseUrl}/api/mesh/evidence/${sha256}`;
      return { sha256, origin, kind, at: meshTime(at), url };
    });
    const json: EvidenceList = { data, count: data.length };
    return { json };
  },
});

function exampleList(baseUrl: string): EvidenceList {
  const sha256 = '0'.repeat(64);
  const item = {
    sha256,
    origin: 'board-b.example/log',
    kind: 'equivocation',
    at: '2026-09-16T23:34:25.000Z',
    url: `${baseUrl}/api/mesh/evidence/${sha256}`,
  };
  return { data: [item], count: 1 };
}

/** The exact bytes of the hash (spec/mesh.md §B8). */
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
      const row = await ctx.reads.manager.findOneBy(Evidence, {
        sha256: Buffer.from(sha256, 'hex'),
      });
      if (row === null) throw unknown();
      sendBytes(req, res, row.bytes, { cache: 'immutable', type: JSON_TYPE });
      return SENT;
    },
});

function unknown(): BoardError {
  return new BoardError(
    'not_found',
    'This board has no such evidence; /api/mesh/evidence lists what it has.',
  );
}
