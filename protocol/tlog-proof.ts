import { fromBase64, toBase64 } from './bytes.js';
import { readHash, readInteger } from './fields.js';
import { NOTE_BYTES, PROOF_HASHES } from './limits.js';
import { parseNote } from './note.js';
import { accepted, refused, type Verdict } from './verdict.js';

/** C2SP tlog-proof. */
export type TlogProof = {
  extra?: Uint8Array;
  index: number;
  inclusion: Uint8Array[];
  checkpoint: string;
};

const HEADER = 'c2sp.org/tlog-proof@v1';

export function formatTlogProof(proof: TlogProof): string {
  const { extra, index, inclusion, checkpoint } = proof;
  const lines = [
    HEADER,
    ...(extra === undefined ? [] : [`extra ${toBase64(extra)}`]),
    `index ${index}`,
    ...inclusion.map(toBase64),
  ];
  return `${lines.join('\n')}\n\n${checkpoint}`;
}

/** Refuses other spellings; verifies nothing. */
export function parseTlogProof(text: string): Verdict<TlogProof, 'bad_proof'> {
  const blank = text.indexOf('\n\n');
  if (blank < 0 || text.length > 2 * NOTE_BYTES) return refused('bad_proof');
  const lines = text.slice(0, blank).split('\n').slice(1);
  const extra = lines[0]?.startsWith('extra ')
    ? fromBase64(lines.shift()?.slice(6) ?? '')
    : undefined;
  const index = readInteger(/^index (.*)$/.exec(lines.shift() ?? '')?.[1]);
  const inclusion = lines.map(readHash).filter((hash) => hash !== null);
  const checkpoint = text.slice(blank + 2);
  if (extra === null || index === null || inclusion.length > PROOF_HASHES) {
    return refused('bad_proof');
  }
  const proof = {
    ...(extra === undefined ? {} : { extra }),
    index,
    inclusion,
    checkpoint,
  };
  return parseNote(checkpoint).ok && formatTlogProof(proof) === text
    ? accepted(proof)
    : refused('bad_proof');
}
