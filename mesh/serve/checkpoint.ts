import type { RequestHandler } from 'express';
import { z } from 'zod';
import { toBase64 } from '../../protocol/bytes.js';
import { consistencyPlan, hashesOfPlan } from '../../protocol/plan.js';
import { formatVkey } from '../../protocol/vkey.js';
import type { Context } from '../../server/context.js';
import { invalid, unavailable } from '../../server/errors.js';
import { base64Hash, naturalNumber } from '../../server/http/openapi/common.js';
import {
  EXAMPLE_CHECKPOINT,
  EXAMPLE_HASH,
} from '../../server/http/openapi/examples.js';
import { ok, uncounted } from '../../server/http/openapi/operation.js';
import { parseQuery } from '../../server/http/query.js';
import { sendJson, sendText } from '../../server/http/send.js';
import { lookupIn, readTree } from '../../server/ledger/own-log.sql.js';
import { logOf, MESH_GETS, requiredInteger } from './log-reads.js';
import { mirroredHead, ownHead } from './logs.sql.js';

export const checkpointOperation = uncounted({
  path: '/log/checkpoint',
  id: 'readCheckpoint',
  tag: 'Log',
  summary: 'The signed head of the log',
  about: 'signed head of the log',
  description:
    'A C2SP checkpoint, as it was signed, with the cosignatures that peers gave it. Later generations of the log are under `/log2`, `/log3` and so on, with the same routes.',
  answers: {
    200: {
      description: 'The checkpoint.',
      text: {
        'text/plain': {
          description: 'A signed note.',
          example: EXAMPLE_CHECKPOINT,
        },
      },
    },
  },
  errors: ['log_closed', 'unavailable', 'log_guard'],
  spends: MESH_GETS,
});

/**
 * As stored, with cosignatures; of a mirrored log the newest head reached, with
 * ours once given (spec/mesh.md §B4).
 */
export function checkpoint(ctx: Context): RequestHandler {
  const mirrorVkey = formatVkey(ctx.keys.mirror.vkey);
  return async (req, res) => {
    const { originId, own } = logOf(res);
    const head = own
      ? await ownHead(ctx.reads, originId)
      : await mirroredHead(ctx.reads, originId, mirrorVkey);
    if (head === null) {
      throw unavailable(
        'No signed head of this log has been reached here yet; ask again later.',
        10,
      );
    }
    sendText(req, res, head.checkpoint, { cache: 'revalidate' });
  };
}

export const consistencyProof = z
  .object({
    from: naturalNumber,
    to: naturalNumber,
    hashes: z.array(base64Hash).describe('RFC 6962 2.1.2.'),
  })
  .describe('Proof that the log of size `to` continues that of size `from`.');

const query = {
  from: requiredInteger()
    .describe('The smaller size.')
    .meta({ examples: [1] }),
  to: requiredInteger()
    .describe('The larger size.')
    .meta({ examples: [2] }),
};

export const consistencyOperation = uncounted({
  path: '/log/consistency',
  id: 'readConsistency',
  tag: 'Log',
  summary: 'Proof that one log size continues another',
  about: 'proof that one log size continues another',
  description: '`from` must not be above `to`, nor `to` above the log.',
  query,
  answers: ok('The proof.', consistencyProof, {
    from: 1,
    to: 2,
    hashes: [EXAMPLE_HASH],
  }),
  errors: ['log_closed', 'unavailable', 'log_guard'],
  spends: MESH_GETS,
});

/** RFC 6962 2.1.2 (spec/mesh.md §B4). */
export function consistency(ctx: Context): RequestHandler {
  const asked = z.object(query);
  return async (req, res) => {
    const { from, to } = parseQuery(asked, req.originalUrl);
    if (from > to) {
      throw invalid('from', '`from` must not be larger than `to`.');
    }
    const plan = consistencyPlan(from, to);
    const { originId } = logOf(res);
    const tree = await readTree(ctx.reads, originId, plan.flat());
    if (to > tree.size) {
      throw invalid(
        'to',
        `\`to\` must not be larger than the log, which has ${tree.size} entries.`,
      );
    }
    const hashes = hashesOfPlan(plan, lookupIn(tree.hashes)).map(toBase64);
    const answer: z.infer<typeof consistencyProof> = { from, to, hashes };
    sendJson(req, res, answer, { cache: 'revalidate' });
  };
}
