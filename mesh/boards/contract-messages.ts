import { z } from 'zod';
import { exampleTrust } from '../../server/openapi/examples.js';
import { schemas } from '../../server/openapi/mirrored.js';
import {
  type Operation,
  ok,
  type Setting,
  uncounted,
} from '../../server/openapi/operation.js';
import { anyId } from '../../server/openapi/parameters.js';
import { bodyQuery } from '../../server/openapi/read-queries.js';
import { proofAnswer } from '../../server/proofs/contract.js';
import { EXAMPLE_BOARD, exampleMirrored } from './examples.js';

export const BUDGETS = [
  'mesh_gets_per_network_minute',
  'mesh_get_bytes_per_network_minute',
] as const;

export const name = z
  .string()
  .describe('The name of a mirrored board.')
  .meta({ examples: [EXAMPLE_BOARD] });

/** One mirrored message. */
export function messageOperation({ limits, baseUrl }: Setting): Operation {
  return uncounted({
    path: '/api/mesh/boards/{name}/messages/{id}',
    id: 'readMirroredMessage',
    tag: 'Mesh',
    summary: 'One mirrored message',
    description:
      'One that its own board removed answers 404 with `moderation_url` there; one whose text is not kept here answers without it.',
    params: { name, id: anyId },
    query: bodyQuery(limits),
    answers: ok('The message.', schemas.MirroredSingle, {
      ...exampleMirrored(baseUrl),
      ...exampleTrust(baseUrl),
    }),
    errors: [
      'unknown_board',
      'message_not_found',
      'hidden_by_operator',
      'unavailable',
    ],
    cache: 'no-store',
    spends: BUDGETS,
  });
}

/** Its proof. */
export function proofOperation(): Operation {
  return uncounted({
    path: '/api/mesh/boards/{name}/messages/{id}/proof',
    id: 'readMirroredProof',
    tag: 'Mesh',
    summary: 'The proof of a mirrored message',
    description:
      "Checks offline with the pinned key of its ORIGIN's log; names this node among the cosigners where it cosigned the checkpoint.",
    params: { name, id: anyId },
    query: {
      format: z
        .literal('tlog-proof')
        .optional()
        .describe('The inclusion alone, as C2SP text.'),
    },
    answers: { 200: proofAnswer },
    errors: [
      'unknown_board',
      'message_not_found',
      'not_signed',
      'hidden_by_operator',
      'unavailable',
    ],
    spends: BUDGETS,
  });
}
