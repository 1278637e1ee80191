import { z } from 'zod';
import { EXAMPLE_CHECKPOINT } from '../../server/openapi/examples.js';
import {
  type Contract,
  type Operation,
  ok,
  post,
  type Setting,
  uncounted,
} from '../../server/openapi/operation.js';
import { count, sha256Hex, url } from '../../server/openapi/scalars.js';
import { cosignRequest } from './cosign-request.js';
import { hintAnswer, hintRequest } from './post-hint.js';

const evidenceItem = z.object({
  sha256: sha256Hex,
  origin: z.string(),
  kind: z.string(),
  at: z.string().meta({ format: 'date-time' }),
  url,
});

const evidenceList = z.object({ data: z.array(evidenceItem), count });
export type EvidenceList = z.infer<typeof evidenceList>;

const evidence = z
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

const READS = [
  'mesh_gets_per_network_minute',
  'mesh_get_bytes_per_network_minute',
] as const;

/** What boards tell each other about heads (spec/mesh.md §B7, §B8). */
export function witnessContract(setting: Setting): Contract {
  return {
    schemas: {
      CosignRequest: cosignRequest,
      HintRequest: hintRequest,
      HintNoted: hintAnswer,
      EvidenceList: evidenceList,
      Evidence: evidence,
    },
    operations: [hint(), cosign(), list(setting), read()],
  };
}

function hint(): Operation {
  return post({
    path: '/api/mesh/hint',
    id: 'hintMesh',
    tag: 'Mesh',
    summary: 'Says that a peer has grown',
    description:
      "Ends this board's back-off from that peer, at most once in 30 s. Anybody may send it; nothing in it is believed.",
    body: {
      schema: hintRequest,
      example: { origin: 'board-b.example/log', size: 78 },
    },
    answers: {
      202: {
        description: 'Noted.',
        json: { schema: hintAnswer, example: { status: 'noted' } },
      },
    },
    errors: ['unknown_origin', 'too_long'],
    spends: ['mesh_hints_per_network_minute'],
  });
}

function cosign(): Operation {
  return post({
    path: '/api/mesh/cosign',
    id: 'cosignMesh',
    tag: 'Mesh',
    summary: "Hands in a peer's cosignature of this board's log",
    description:
      'It authenticates itself: the body must be a checkpoint this board stored, the line one of an active peer.',
    body: {
      schema: cosignRequest,
      example: {
        body: `${EXAMPLE_CHECKPOINT.split('\n').slice(0, 3).join('\n')}\n`,
        log: '— board-a.example/log yZIB34d+LtfU',
        cosignature: '— board-b.example/mirror ffBHHwAAAABp',
      },
    },
    answers: { 204: { description: 'Kept.' } },
    errors: [
      'bad_note',
      'too_long',
      'unknown_origin',
      'peer_not_allowed',
      'signature_invalid',
      'not_found',
    ],
    spends: ['mesh_cosigns_per_network_minute'],
  });
}

function list({ baseUrl }: Setting): Operation {
  const sha256 = '0'.repeat(64);
  return uncounted({
    path: '/api/mesh/evidence',
    id: 'listEvidence',
    tag: 'Mesh',
    summary: 'Verified evidence against logs of peers',
    description: 'Every board verifies it again before it acts on it.',
    answers: ok('The list, oldest first.', evidenceList, {
      data: [
        {
          sha256,
          origin: 'board-b.example/log',
          kind: 'equivocation',
          at: '2026-09-16T23:34:25.000Z',
          url: `${baseUrl}/api/mesh/evidence/${sha256}`,
        },
      ],
      count: 1,
    }),
    errors: ['unavailable'],
    spends: READS,
  });
}

function read(): Operation {
  return uncounted({
    path: '/api/mesh/evidence/{sha256}',
    id: 'readEvidence',
    tag: 'Mesh',
    summary: 'One piece of evidence',
    description: 'Exactly the bytes whose SHA-256 is its name.',
    params: {
      sha256: sha256Hex
        .describe('Of the evidence, in hex.')
        .meta({ examples: ['0'.repeat(64)] }),
    },
    answers: ok('The evidence.', evidence, {
      format: 'reserve-board/evidence/v1',
      kind: 'equivocation',
      origin: 'board-a.example/log',
      log_vkey: 'board-a.example/log+01234567+AQID',
      first: EXAMPLE_CHECKPOINT,
      second: EXAMPLE_CHECKPOINT,
    }),
    errors: ['not_found', 'unavailable'],
    cache: 'immutable',
    spends: READS,
  });
}
