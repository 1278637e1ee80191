import { fromUtf8 } from '../../protocol/bytes.js';
import { parseJson, readObject } from '../../protocol/json.js';
import { parseNote, verifyLine } from '../../protocol/note.js';
import {
  checkProof,
  type Proof,
  type ProofRefusal,
  type ProvenMessage,
  proofFromJson,
} from '../../protocol/proof.js';
import { ready } from '../../protocol/signing.js';
import { accepted, refused, type Verdict } from '../../protocol/verdict.js';
import { COSIGNATURE } from '../../protocol/vkey.js';
import { logKeyOf, type Pins, readPin } from './pins.js';

/** `log_pin`: its log is not pinned. */
export type ProofStep = ProofRefusal | 'log_pin';

/** `pinned`: the log's key is not from the proof. */
export type CheckedProof = ProvenMessage & { board: string; pinned: boolean };

const TEXT_BYTES = 1_000_000;

/** Each named cosigner did cosign. */
function areCosignersTrue({ cosigners, checkpoint }: Proof): boolean {
  const note = parseNote(checkpoint);
  if (!note.ok) return false;
  const { text, signatures } = note.value;
  return cosigners.every(({ name, vkey, board }) => {
    const key = readPin(vkey);
    if (key?.type !== COSIGNATURE || key.name !== name) return false;
    if (name !== `${board}/mirror`) return false;
    return signatures.some((line) => verifyLine(text, line, key));
  });
}

/**
 * JSON, offline (spec/mesh.md §B5). Without pinned logs the key is the proof's
 * own: who the board is remains unproven.
 */
export async function verifyProofText(
  bytes: Uint8Array,
  pins: Pins,
): Promise<Verdict<CheckedProof, ProofStep>> {
  await ready();
  const json = parseJson(bytes.length > TEXT_BYTES ? null : fromUtf8(bytes));
  const read = proofFromJson(json);
  if (!read.ok) return read;
  if (readObject(json)?.content_trust !== 'untrusted_public_data') {
    return refused('bad_proof');
  }
  const proof = read.value;
  const log = logKeyOf(pins, proof.origin, proof.logVkey);
  if (!log.ok) return log;
  const { key, pinned } = log.value;
  const checked = checkProof(proof, key, pins.cosigners);
  if (!checked.ok) return checked;
  if (!areCosignersTrue(proof)) return refused('checkpoint');
  return accepted({ ...checked.value, board: proof.board, pinned });
}
