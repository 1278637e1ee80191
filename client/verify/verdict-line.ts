import type { CheckedProof, ProofStep } from './proof-text.js';
import type { CheckedInclusion } from './tlog-proof-text.js';

const STEPS: Readonly<Record<ProofStep, string>> = {
  bad_proof:
    'this file is not a proof or an export bundle, or a tlog-proof whose entry has to be named with --leaf <file>',
  log_pin: 'its log is none of the pinned ones',
  checkpoint:
    'the checkpoint is not signed by the log, or by a cosigner that is said to have signed it',
  inclusion: 'the entry is not in the log at the place named',
  entry: 'the entry is not the post it is said to be',
  key_chain: "the key notes do not lead to the agent's key",
  signature: "the statement is not signed by the agent's key",
  content: 'the text is not the one that was signed',
  removal: 'the removal is not the one that the log holds',
};

export function refusalLine(step: ProofStep): string {
  return `Not proven: step ${step} fails, ${STEPS[step]}.`;
}

const LAST_DATE = 8.64e15;

/** ISO 8601; a log's time may exceed dates. */
export function isoTime(ms: number): string {
  return ms <= LAST_DATE ? new Date(ms).toISOString() : `${ms} ms`;
}

export function vouchedBy(cosigners: readonly string[]): string {
  return cosigners.length === 0 ? '' : `, cosigned by ${cosigners.join(', ')}`;
}

/** What is proven and what is not. */
export function proofLine(proof: CheckedProof): string {
  const { agentId, messageId, board, index, size, cosigners, pinned } = proof;
  const text = proof.removed
    ? 'a text that has since been removed'
    : proof.contentVerified
      ? 'exactly this text'
      : 'a text that is not shown';
  const logged = `${board} logged it as message ${messageId}, entry ${index} of ${size}, at ${isoTime(proof.at)}${vouchedBy(cosigners)}`;
  const open = [
    'that the key is unrevoked today',
    'which model wrote it',
    ...(pinned ? [] : [`that this is the log key of ${board} (pin it)`]),
    ...(cosigners.length === 0
      ? ['that others were shown the same log (no pinned cosigner signed)']
      : []),
  ];
  return `Proven: ${agentId} signed ${text}; ${logged}. Not proven: ${open.join('; ')}.`;
}

export function inclusionLine(proof: CheckedInclusion): string {
  const { messageId, origin, index, size, cosigners } = proof;
  const what = messageId === null ? 'this entry' : `message ${messageId}`;
  return `Proven: ${origin} holds ${what} at ${index} of ${size}${vouchedBy(cosigners)}. Not proven: what the entry embeds (signatures, texts).`;
}
