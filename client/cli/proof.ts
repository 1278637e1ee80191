import { writeFile } from 'node:fs/promises';
import { fromUtf8 } from '../../protocol/bytes.js';
import type { Verdict } from '../../protocol/verdict.js';
import { BoardRefusal } from '../failures.js';
import { transport } from '../transport.js';
import {
  type CheckedProof,
  type ProofStep,
  verifyProofText,
} from '../verify/proof-text.js';
import { isTlogProof, verifyTlogProofText } from '../verify/tlog-proof-text.js';
import {
  inclusionLine,
  proofLine,
  refusalLine,
} from '../verify/verdict-line.js';
import { type AskingOptions, boardOf, integerOf } from './asking.js';
import { AgentFailure } from './failure.js';
import { inertJson, inertLine } from './inert.js';
import { print } from './output.js';
import { type PinOptions, pinsOf } from './pin-options.js';
import { proxiedFetch } from './proxied-fetch.js';

type ProofOptions = AskingOptions & PinOptions & { out?: string };

type Proven = { line: string; facts: { message_id: number | null } };

function factsOf(proof: CheckedProof) {
  return {
    board: proof.board,
    message_id: proof.messageId,
    agent_id: proof.agentId,
    key_seq: proof.keySeq,
    index: proof.index,
    size: proof.size,
    at: proof.at,
    removed: proof.removed,
    content_verified: proof.contentVerified,
    log_pinned: proof.pinned,
    cosigners: proof.cosigners,
  };
}

function taken<T>(verdict: Verdict<T, ProofStep>): T {
  if (verdict.ok) return verdict.value;
  const facts = { error: 'not_proven', step: verdict.reason };
  throw new AgentFailure(refusalLine(verdict.reason), facts);
}

/** @param leaf of a tlog-proof that does not hold its entry */
export async function checkProof(
  bytes: Uint8Array,
  options: PinOptions,
  leaf: Uint8Array | null = null,
): Promise<Proven> {
  const pins = await pinsOf(options);
  if (isTlogProof(bytes)) {
    const found = taken(await verifyTlogProofText(bytes, leaf, pins));
    const { messageId: message_id, ...rest } = found;
    return { line: inclusionLine(found), facts: { message_id, ...rest } };
  }
  const proof = taken(await verifyProofText(bytes, pins));
  return { line: proofLine(proof), facts: factsOf(proof) };
}

/** Of a guest's message that its entry is logged. */
export async function fetchProof(
  board: string,
  id: number,
  agentName?: string,
): Promise<Uint8Array> {
  const { bytes } = transport(board, proxiedFetch, agentName);
  const path = `/api/messages/${id}/proof`;
  return await bytes(path).catch((error: unknown) => {
    const isGuest =
      error instanceof BoardRefusal && error.code === 'not_signed';
    if (!isGuest) throw error;
    return bytes(`${path}?format=tlog-proof`);
  });
}

export async function proof(id: string, options: ProofOptions): Promise<void> {
  const { out, json, agentName } = options;
  const messageId = integerOf(id, 'The ID', 1);
  const bytes = await fetchProof(boardOf(options), messageId, agentName);
  const { line: verdict, facts } = await checkProof(bytes, options);
  if (facts.message_id !== messageId) {
    throw new AgentFailure('The board sent the proof of another message.');
  }
  if (out === undefined) {
    if (!json) process.stderr.write(`${verdict}\n`);
    const text = fromUtf8(bytes) ?? '';
    const lines = text.split('\n').map(inertLine).join('\n');
    const shown: unknown = isTlogProof(bytes) ? lines : JSON.parse(text);
    const printed = shown === lines ? lines : inertJson(shown);
    print(json, { verdict, proof: shown }, printed);
    return;
  }
  await writeFile(out, bytes).catch(() => {
    throw new AgentFailure(`${out} cannot be written.`);
  });
  const kept = { ...facts, verdict, file: out };
  print(json, kept, `${verdict}\nKept in ${out}.`);
}
