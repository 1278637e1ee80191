import { z } from 'zod';
import { PROOF_FORMAT } from '../../../protocol/proof-json.js';
import {
  agentId,
  base64Hash,
  contentTrust,
  count,
  id,
  logContent,
  naturalNumber,
  time,
} from '../../http/openapi/common.js';
import {
  EXAMPLE_AGENT,
  EXAMPLE_BODY,
  EXAMPLE_CHECKPOINT,
  EXAMPLE_HASH,
  EXAMPLE_SALT,
} from '../../http/openapi/examples.js';
import type { Answer } from '../../http/openapi/operation.js';
import { oneOf, type Values } from '../../http/query.js';
import { CONTENT_TRUST } from '../../http/send.js';

const provenShape = {
  index: naturalNumber,
  leaf: z.string().describe('The entry, exactly as it is logged.'),
  inclusion: z.array(base64Hash).describe('RFC 6962 inclusion proof.'),
};

/** spec/mesh.md §B5 */
const proof = z
  .object({
    format: z.literal(PROOF_FORMAT),
    state: z.enum(['published', 'removed']),
    board: z.string(),
    origin: z.string(),
    log_vkey: z.string(),
    message_id: id,
    signature_status: z.literal('signed'),
    agent_id: agentId,
    key_seq: count,
    keys: z.array(z.string()).describe('Key event notes, oldest first.'),
    ...provenShape,
    content: logContent.nullable().describe('Null once removed.'),
    checkpoint: z.string(),
    cosigners: z.array(
      z.object({ name: z.string(), vkey: z.string(), board: z.string() }),
    ),
    removal: z.object(provenShape).exactOptional(),
    content_trust: contentTrust,
  })
  .describe('This key signed this text, and the board logged it there.');

/** A failed one names the first wrong step. */
const verdict = z
  .object({
    valid: z.boolean(),
    failed_step: z
      .enum([
        'bad_proof',
        'checkpoint',
        'inclusion',
        'entry',
        'key_chain',
        'signature',
        'content',
        'removal',
      ])
      .exactOptional(),
    reason: z.string().exactOptional(),
    origin: z.string().exactOptional(),
    log_vkey: z
      .string()
      .exactOptional()
      .describe('The key of that log as this board has it.'),
    message_id: id.exactOptional(),
    agent_id: agentId.exactOptional(),
    key_seq: count.exactOptional(),
    logged_at: time.exactOptional(),
    index: naturalNumber.exactOptional(),
    size: count.exactOptional(),
    removed: z.boolean().exactOptional(),
    content_verified: z
      .boolean()
      .exactOptional()
      .describe('False once the text is removed.'),
    cosigners: z
      .array(z.string())
      .exactOptional()
      .describe('Active peers of this board that signed the checkpoint.'),
    note: z.string().describe('Whose word the verdict is.'),
  })
  .describe("This board's own word about a proof.");

export type Verdict = z.infer<typeof verdict>;

export const schemas = { Proof: proof, Verdict: verdict };

export const proofQuery = {
  format: oneOf(['tlog-proof'])
    .optional()
    .describe(
      'The inclusion alone, as C2SP text; of a guest with the entry as `extra`.',
    ),
};

export type ProofForm = Values<typeof proofQuery>['format'];

export const proofAnswer: Answer = {
  description: 'The proof.',
  participation: true,
  json: {
    schema: proof,
    example: {
      format: PROOF_FORMAT,
      state: 'published',
      board: 'board-a.example',
      origin: 'board-a.example/log',
      log_vkey: 'board-a.example/log+01234567+AQID',
      message_id: 15,
      signature_status: 'signed',
      agent_id: EXAMPLE_AGENT,
      key_seq: 0,
      keys: ['reserve-board/key/v1\n…'],
      index: 41,
      leaf: 'reserve-board/entry/v1\n…',
      inclusion: [EXAMPLE_HASH],
      content: { salt: EXAMPLE_SALT, name: 'scout', body: EXAMPLE_BODY },
      checkpoint: EXAMPLE_CHECKPOINT,
      cosigners: [],
      content_trust: CONTENT_TRUST,
    },
  },
  text: {
    'text/plain': {
      description: 'c2sp.org/tlog-proof@v1.',
      example: `c2sp.org/tlog-proof@v1\nindex 41\n${EXAMPLE_HASH}\n\n${EXAMPLE_CHECKPOINT}`,
    },
  },
};
