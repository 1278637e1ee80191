import { fromBase64, toBase64 } from './bytes.js';
import { readInteger } from './fields.js';
import { isKeyName } from './key-name.js';
import {
  cosignatureBlob,
  cosignatureTime,
  isLineOf,
  type Note,
  type NoteRefusal,
  type NoteSignature,
  openNote,
  type Signer,
  signNote,
} from './note.js';
import { accepted, refused, type Verdict } from './verdict.js';
import { COSIGNATURE, type Vkey } from './vkey.js';

/** A tree head: `size` leaves, `root` 32 bytes (C2SP tlog-checkpoint). */
export type Checkpoint = { origin: string; size: number; root: Uint8Array };
export type OpenedCheckpoint = Checkpoint & { note: Note };
export type CheckpointRefusal = NoteRefusal | 'bad_checkpoint' | 'wrong_origin';

/** The three lines of the body; extension lines are never used. */
export function formatCheckpoint({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${toBase64(root)}\n`;
}

export function parseCheckpoint(
  text: string,
): Verdict<Checkpoint, 'bad_checkpoint'> {
  const [origin = '', decimal, hash = ''] = text.split('\n', 3);
  const size = readInteger(decimal);
  const root = fromBase64(hash, 32);
  if (size === null || root === null) return refused('bad_checkpoint');
  const checkpoint = { origin, size, root };
  const canonical = formatCheckpoint(checkpoint) === text;
  return canonical && isKeyName(origin) && /^[!-~]+$/.test(origin)
    ? accepted(checkpoint)
    : refused('bad_checkpoint');
}

export function signCheckpoint(checkpoint: Checkpoint, signer: Signer): string {
  return signNote(formatCheckpoint(checkpoint), [signer]);
}

/** The key's name MUST be the origin. Cosignatures are ignored. */
export function openCheckpoint(
  raw: string,
  logVkey: Vkey,
): Verdict<OpenedCheckpoint, CheckpointRefusal> {
  const opened = openNote(raw, [logVkey]);
  if (!opened.ok) return opened;
  const { text, signatures } = opened.value;
  const parsed = parseCheckpoint(text);
  if (!parsed.ok) return parsed;
  if (parsed.value.origin !== logVkey.name) return refused('wrong_origin');
  return accepted({ ...parsed.value, note: { text, signatures } });
}

/**
 * Type 0x04 (C2SP tlog-cosignature); `body` is the checkpoint's three lines.
 * The state MUST be durable before the line leaves the node (spec/mesh.md §A1,
 * §B7).
 */
export function cosign(
  body: string,
  timeSeconds: number,
  { vkey, pair }: Signer,
): NoteSignature {
  if (vkey.type !== COSIGNATURE) throw new TypeError('not a cosigner key');
  const signature = cosignatureBlob(body, timeSeconds, pair);
  return { name: vkey.name, keyId: vkey.keyId, signature };
}

/** Returns the time in seconds. */
export function verifyCosignature(
  body: string,
  line: NoteSignature,
  vkey: Vkey,
): Verdict<{ time: number }, 'signature_invalid'> {
  if (vkey.type !== COSIGNATURE || !isLineOf(line, vkey)) {
    return refused('signature_invalid');
  }
  const time = cosignatureTime(body, line.signature, vkey.publicKey);
  return time === null ? refused('signature_invalid') : accepted({ time });
}
