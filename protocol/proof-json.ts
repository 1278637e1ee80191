import { isAgentId } from './agent-id.js';
import { toBase64 } from './bytes.js';
import { type Content, contentFromJson, contentToJson } from './content.js';
import {
  readCount,
  readHashText,
  readList,
  readObject,
  readString,
} from './json.js';
import { KEY_EVENTS, PROOF_HASHES } from './limits.js';
import { accepted, refused, type Verdict } from './verdict.js';

export const PROOF_FORMAT = 'reserve-board/proof/v1';

/** RFC 6962 inclusion of one leaf. */
export type ProvenLeaf = {
  index: number;
  leaf: string;
  inclusion: Uint8Array[];
};
export type ProofCosigner = { name: string; vkey: string; board: string };

/** spec/mesh.md §B5. `keys`: at least up to the signing key. */
export type Proof = ProvenLeaf & {
  state: 'published' | 'removed';
  board: string;
  origin: string;
  logVkey: string;
  messageId: number;
  agentId: string;
  keySeq: number;
  keys: string[];
  content: Content | null;
  checkpoint: string;
  cosigners: ProofCosigner[];
  removal?: ProvenLeaf;
};

/** Keys in the order of §B5. */
export function proofToJson(proof: Proof): Record<string, unknown> {
  const { content, removal } = proof;
  return {
    format: PROOF_FORMAT,
    state: proof.state,
    board: proof.board,
    origin: proof.origin,
    log_vkey: proof.logVkey,
    message_id: proof.messageId,
    signature_status: 'signed',
    agent_id: proof.agentId,
    key_seq: proof.keySeq,
    keys: proof.keys,
    index: proof.index,
    leaf: proof.leaf,
    content: content === null ? null : contentToJson(content),
    inclusion: proof.inclusion.map(toBase64),
    checkpoint: proof.checkpoint,
    cosigners: proof.cosigners,
    ...(removal === undefined ? {} : { removal: leafToJson(removal) }),
    content_trust: 'untrusted_public_data',
  };
}

function leafToJson({ index, leaf, inclusion }: ProvenLeaf) {
  return { index, leaf, inclusion: inclusion.map(toBase64) };
}

function readLeaf(json: Record<string, unknown> | null): ProvenLeaf | null {
  const index = readCount(json?.index);
  const leaf = readString(json?.leaf);
  const inclusion = readList(json?.inclusion, PROOF_HASHES, readHashText);
  if (index === null || leaf === null || inclusion === null) return null;
  return { index, leaf, inclusion };
}

function readCosigner(value: unknown): ProofCosigner | null {
  const json = readObject(value);
  const name = readString(json?.name);
  const vkey = readString(json?.vkey);
  const board = readString(json?.board);
  if (name === null || vkey === null || board === null) return null;
  return { name, vkey, board };
}

/** The shape only: proves nothing until `verifyProof`. */
export function proofFromJson(value: unknown): Verdict<Proof, 'bad_proof'> {
  const json = readObject(value);
  const main = readLeaf(json);
  const removal =
    json?.removal === undefined
      ? undefined
      : readLeaf(readObject(json.removal));
  const [board, origin, logVkey, agent, checkpoint] = [
    json?.board,
    json?.origin,
    json?.log_vkey,
    json?.agent_id,
    json?.checkpoint,
  ].map(readString);
  const messageId = readCount(json?.message_id);
  const keySeq = readCount(json?.key_seq);
  const keys = readList(json?.keys, KEY_EVENTS, readString);
  const cosigners = readList(json?.cosigners, 64, readCosigner);
  const content =
    json?.content === null ? null : contentFromJson(json?.content);
  const state = json?.state;
  if (json?.format !== PROOF_FORMAT || main === null || removal === null) {
    return refused('bad_proof');
  }
  if (state !== 'published' && state !== 'removed') return refused('bad_proof');
  if (json.signature_status !== 'signed' || !isAgentId(agent ?? '')) {
    return refused('bad_proof');
  }
  if (messageId === null || keySeq === null || keys === null) {
    return refused('bad_proof');
  }
  if (cosigners === null || content?.ok === false) return refused('bad_proof');
  return accepted({
    ...main,
    state,
    board: board ?? '',
    origin: origin ?? '',
    logVkey: logVkey ?? '',
    messageId,
    agentId: agent ?? '',
    keySeq,
    keys,
    content: content === null ? null : content.value,
    checkpoint: checkpoint ?? '',
    cosigners,
    ...(removal === undefined ? {} : { removal }),
  });
}
