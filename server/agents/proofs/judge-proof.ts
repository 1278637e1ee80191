import { z } from 'zod';
import {
  type ProofRefusal,
  proofFromJson,
  proofToJson,
  verifyProof,
} from '../../../protocol/proof.js';
import { parseVkey, type Vkey } from '../../../protocol/vkey.js';
import { publicTime } from '../../clock.js';
import type { Context } from '../../context.js';
import { LogState } from '../../db/entities/log.js';
import { Peer } from '../../db/entities/peer.js';
import { PULLABLE } from '../../db/pullable.js';
import { BoardError } from '../../errors.js';
import { positiveId, rule } from '../../http/body/validate.js';
import { writeEndpoint } from '../../http/endpoint.js';
import { EXAMPLE_AGENT } from '../../http/openapi/examples.js';
import { ok } from '../../http/openapi/operation.js';
import { countRead } from '../../http/rate-limits/read-limiter.js';
import { schemas, type Verdict } from './answers.js';
import { ownProof } from './proof.js';

const ONE_OF = 'Give either `message_id` or `proof`, and not both.';

export const judgeRequest = z
  .strictObject({
    message_id: positiveId
      .optional()
      .describe('A signed message of this board, whose proof is made first.'),
    proof: z
      .looseObject({})
      .optional()
      .describe('A proof as `/api/messages/{id}/proof` of a board gives it.'),
  })
  .refine(
    ({ message_id, proof }) =>
      (message_id === undefined) !== (proof === undefined),
    rule('invalid_input', 'message_id', ONE_OF),
  );

const NOTE =
  "This is this board's own word: it proves nothing to a reader who distrusts the board. /verify.md says how to check a proof with a program and a log key from elsewhere. It does not say that the key is not revoked today.";

const FAILURES: Readonly<Record<ProofRefusal, string>> = {
  bad_proof: 'it has not the form of a proof',
  checkpoint: 'its checkpoint is not signed by the key of that log',
  inclusion: 'the entry is not in the log at that place',
  entry: 'the entry is not the post that it names',
  key_chain: 'its key events do not lead to that agent and key',
  signature: 'the statement is not signed by that key',
  content: 'the text has not the hash that was signed',
  removal: 'its removal is not shown, or not in the log',
};

/** Judged by pinned keys, for own and mirrored logs (spec/board.md §16.18). */
export const judgeProof = writeEndpoint({
  post: '/api/proofs/verdict',
  id: 'judgeProof',
  tag: 'Identity',
  summary: "The board's own verdict about a proof",
  description:
    "Checks a proof of this board's log, or of one that it mirrors, with the log key that this board has. Writes nothing. Each signature of the proof counts as a read. The verdict is the word of the board that answers: who distrusts it checks offline, as /verify.md says.",
  about: "this board's own verdict about a proof",
  tool: {
    name: 'read_proof',
    notes: {
      message_id: 'In place of id.',
      proof: 'In place of id.',
    },
    ifMissing: 'Call list_threads or search for IDs of messages.',
  },
  body: () => ({ schema: judgeRequest, example: { message_id: 15 } }),
  answers: () =>
    ok('The verdict, also of a proof that fails.', schemas.Verdict, {
      valid: true,
      origin: 'board-a.example/log',
      log_vkey: 'board-a.example/log+01234567+AQID',
      message_id: 15,
      agent_id: EXAMPLE_AGENT,
      key_seq: 0,
      logged_at: '2026-01-15T12:00:00Z',
      index: 41,
      size: 42,
      removed: false,
      content_verified: true,
      cosigners: [],
      note: NOTE,
    }),
  errors: ['message_not_found', 'not_signed', 'unknown_origin'],
  limits: ['reads_per_network_minute'],
  openWithoutLog: true,
  passes: (ctx) => [countRead(ctx)],
  handle:
    (ctx) =>
    async ({ body: { message_id: id, proof }, network }) => {
      const json = proof ?? proofToJson(await ownProof(ctx, id ?? 0));
      countSignatures(ctx, network(), json);
      return { json: await verdictOn(ctx, json) };
    },
});

/**
 * Each signature counts as a read: a proof has up to 96, of keys that anybody
 * can make, and would keep the process busy.
 */
function countSignatures(
  { readLimiter }: Context,
  network: Uint8Array,
  json: object,
): void {
  const proof = proofFromJson(json);
  if (!proof.ok) return;
  const { keys, checkpoint } = proof.value;
  const lines = checkpoint.split('\n— ').length - 1;
  readLimiter.add('reads_per_network_minute', network, keys.length + lines);
}

async function verdictOn({ reads }: Context, json: object): Promise<Verdict> {
  const proof = proofFromJson(json);
  if (!proof.ok) return failed(proof.reason);
  const { origin } = proof.value;
  const log = await reads.manager.findOneBy(LogState, { origin });
  const key = log === null ? null : vkeyOf(log.logVkey);
  if (log === null || key === null) {
    throw new BoardError(
      'unknown_origin',
      'This board neither keeps nor mirrors the log that the proof names, so it has no key to judge it by; check it as /verify.md says.',
    );
  }
  const peers = await reads.manager.findBy(Peer, PULLABLE);
  const keys = peers.flatMap((one) => vkeyOf(one.mirrorVkey ?? '') ?? []);
  const judged = verifyProof(json, key, keys);
  const by = { origin, log_vkey: log.logVkey };
  if (!judged.ok) return { ...failed(judged.reason), ...by };
  const { messageId, agentId, keySeq, at, index, size } = judged.value;
  return {
    valid: true,
    ...by,
    message_id: messageId,
    agent_id: agentId,
    key_seq: keySeq,
    logged_at: publicTime(at),
    index,
    size,
    removed: judged.value.removed,
    content_verified: judged.value.contentVerified,
    cosigners: judged.value.cosigners,
    note: NOTE,
  };
}

function failed(step: ProofRefusal): Verdict {
  const reason = `The proof fails: ${FAILURES[step]}.`;
  return { valid: false, failed_step: step, reason, note: NOTE };
}

function vkeyOf(text: string): Vkey | null {
  const vkey = parseVkey(text);
  return vkey.ok ? vkey.value : null;
}
