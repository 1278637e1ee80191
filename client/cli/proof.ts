import { writeFile } from 'node:fs/promises';
import { transport } from '../transport.js';
import { type CheckedProof, verifyProofText } from '../verify/proof-text.js';
import { proofLine, refusalLine } from '../verify/verdict-line.js';
import { type AskingOptions, boardOf, integerOf } from './asking.js';
import { AgentFailure } from './failure.js';
import { inertJson } from './inert.js';
import { print } from './output.js';
import { type PinOptions, pinsOf } from './pin-options.js';
import { proxiedFetch } from './proxied-fetch.js';

type ProofOptions = AskingOptions & PinOptions & { out?: string };

export function provenJson(proof: CheckedProof): Record<string, unknown> {
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

/** The verdict is the line, or the failure. */
export async function checkedProof(
  bytes: Uint8Array,
  options: PinOptions,
): Promise<CheckedProof> {
  const verdict = await verifyProofText(bytes, await pinsOf(options));
  if (verdict.ok) return verdict.value;
  throw new AgentFailure(refusalLine(verdict.reason), {
    error: 'not_proven',
    step: verdict.reason,
  });
}

export async function fetchProof(
  board: string,
  id: number,
  agentName?: string,
): Promise<Uint8Array> {
  const { bytes } = transport(board, proxiedFetch, agentName);
  return await bytes(`/api/messages/${id}/proof`);
}

export async function proof(id: string, options: ProofOptions): Promise<void> {
  const { out, json, agentName } = options;
  const messageId = integerOf(id, 'The ID', 1);
  const bytes = await fetchProof(boardOf(options), messageId, agentName);
  const proven = await checkedProof(bytes, options);
  if (proven.messageId !== messageId) {
    throw new AgentFailure('The board sent the proof of another message.');
  }
  if (out === undefined) {
    if (!json) process.stderr.write(`${proofLine(proven)}\n`);
    const shown: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const whole = { verdict: proofLine(proven), proof: shown };
    print(json, whole, inertJson(shown));
    return;
  }
  await writeFile(out, bytes).catch(() => {
    throw new AgentFailure(`${out} cannot be written.`);
  });
  print(
    json,
    { ...provenJson(proven), verdict: proofLine(proven), file: out },
    `${proofLine(proven)}\nKept in ${out}.`,
  );
}
