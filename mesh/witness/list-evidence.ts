import { readEndpoint } from '../../server/http/endpoint.js';
import { ok } from '../../server/http/openapi/operation.js';
import { meshTime } from '../mesh-time.js';
import { meshRead } from '../serve/log/mesh-read.js';
import { type EvidenceList, evidenceList } from './answers.js';

type Row = { sha256: string; origin: string; kind: string; at: number };

/**
 * All evidence that this board has verified, oldest first (spec/mesh.md §B8,
 * §B13).
 */
export const listEvidence = readEndpoint({
  get: '/api/mesh/evidence',
  id: 'listEvidence',
  tag: 'Mesh',
  summary: 'Verified evidence against logs of peers',
  description: 'Every board verifies it again before it acts on it.',
  about: 'proofs that a log signed two histories; `/{sha256}` gives one',
  ...meshRead,
  answers: ({ baseUrl }) =>
    ok('The list, oldest first.', evidenceList, exampleList(baseUrl)),
  errors: ['unavailable'],
  handle: (ctx) => async () => {
    const rows = await ctx.reads.query<Row>(
      `SELECT encode(sha256, 'hex') AS sha256, origin, kind, at FROM evidence
       ORDER BY at, sha256`,
    );
    const json: EvidenceList = {
      data: rows.map((row) => ({
        ...row,
        at: meshTime(row.at),
        url: `${ctx.config.baseUrl}/api/mesh/evidence/${row.sha256}`,
      })),
      count: rows.length,
    };
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
