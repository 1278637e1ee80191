import {
  concat,
  equalBytes,
  fromBase64,
  fromU64be,
  isWellFormed,
  toBase64,
  u64be,
  utf8,
  utf8Length,
} from './bytes.js';
import { isKeyName } from './key-name.js';
import { NOTE_BYTES, NOTE_SIGNATURES } from './limits.js';
import { type KeyPair, signBytes, verifySignature } from './signing.js';
import { accepted, refused, type Verdict } from './verdict.js';
import { ED25519, type Vkey } from './vkey.js';

/** `keyId` 4 bytes, `signature` 1 byte or more. */
export type NoteSignature = {
  name: string;
  keyId: Uint8Array;
  signature: Uint8Array;
};

const PREFIX = '\u2014 ';

/** `— <name> <base64(keyid ‖ signature)>` with its LF (C2SP signed-note). */
export function signatureLine(line: NoteSignature): string {
  const blob = toBase64(concat(line.keyId, line.signature));
  return `${PREFIX}${line.name} ${blob}\n`;
}

/** With its LF; null unless canonical. */
export function parseSignatureLine(text: string): NoteSignature | null {
  if (!text.startsWith(PREFIX) || !text.endsWith('\n')) return null;
  const space = text.indexOf(' ', PREFIX.length);
  if (space < 0) return null;
  const name = text.slice(PREFIX.length, space);
  const blob = fromBase64(text.slice(space + 1, -1));
  if (!isKeyName(name) || blob === null || blob.length < 5) return null;
  return { name, keyId: blob.slice(0, 4), signature: blob.slice(4) };
}

/** C2SP signed-note: `text` ends in LF, 1..32 signatures. */
export type Note = { text: string; signatures: NoteSignature[] };
export type Signer = { vkey: Vkey; pair: KeyPair };
export type OpenedNote = Note & { verified: Vkey[] };
export type NoteRefusal =
  | 'bad_note'
  | 'signature_invalid'
  | 'no_known_signature';

export function formatNote({ text, signatures }: Note): string {
  return `${text}\n${signatures.map(signatureLine).join('')}`;
}

/** Without LF. */
const CONTROL = /[^\n -\uffff]/;

function isNoteText(raw: string): boolean {
  if (raw.length > NOTE_BYTES || CONTROL.test(raw) || !isWellFormed(raw)) {
    return false;
  }
  // A UTF-16 unit is three bytes at most.
  return raw.length * 3 <= NOTE_BYTES || utf8Length(raw) <= NOTE_BYTES;
}

/**
 * Verifies nothing. Refuses over 16 KiB of UTF-8 or 32 lines, control
 * characters and non-canonical lines (spec/mesh.md §A1, §B1).
 */
export function parseNote(raw: string): Verdict<Note, 'bad_note'> {
  const split = raw.lastIndexOf('\n\n');
  if (split < 0 || !raw.endsWith('\n') || !isNoteText(raw)) {
    return refused('bad_note');
  }
  const signatures: NoteSignature[] = [];
  for (let at = split + 2; at < raw.length; ) {
    const end = raw.indexOf('\n', at) + 1;
    const signature = parseSignatureLine(raw.slice(at, end));
    if (signature === null || signatures.length === NOTE_SIGNATURES) {
      return refused('bad_note');
    }
    signatures.push(signature);
    at = end;
  }
  if (signatures.length === 0) return refused('bad_note');
  return accepted({ text: raw.slice(0, split + 1), signatures });
}

/**
 * `text` MUST end in LF, without other control characters. Keys MUST have type
 * 0x01; `cosign` makes 0x04.
 */
export function signNote(text: string, signers: Signer[]): string {
  const signatures = signers.map(({ vkey, pair }) => {
    if (vkey.type !== ED25519) throw new TypeError('cosign() signs type 0x04');
    const signature = signBytes(utf8(text), pair);
    return { name: vkey.name, keyId: vkey.keyId, signature };
  });
  return formatNote({ text, signatures });
}

const COSIGNATURE_BYTES = 72;

function cosigned(body: string, time: number): Uint8Array {
  return utf8(`cosignature/v1\ntime ${time}\n${body}`);
}

/**
 * `u64be(time) ‖ ed25519` over time (seconds) and checkpoint body (C2SP
 * tlog-cosignature, spec/mesh.md §A1).
 */
export function cosignatureBlob(
  body: string,
  time: number,
  pair: KeyPair,
): Uint8Array {
  return concat(u64be(time), signBytes(cosigned(body, time), pair));
}

/** In seconds; null unless a valid 0x04 signature. */
export function cosignatureTime(
  body: string,
  blob: Uint8Array,
  publicKey: Uint8Array,
): number | null {
  const time = blob.length === COSIGNATURE_BYTES ? fromU64be(blob) : null;
  if (time === null) return null;
  const signed = cosigned(body, time);
  return verifySignature(blob.slice(8), signed, publicKey) ? time : null;
}

export function isLineOf(line: NoteSignature, vkey: Vkey): boolean {
  return line.name === vkey.name && equalBytes(line.keyId, vkey.keyId);
}

/** By the key's type (0x01 or 0x04). */
export function verifyLine(
  text: string,
  line: NoteSignature,
  vkey: Vkey,
): boolean {
  if (!isLineOf(line, vkey)) return false;
  return vkey.type === ED25519
    ? verifySignature(line.signature, utf8(text), vkey.publicKey)
    : cosignatureTime(text, line.signature, vkey.publicKey) !== null;
}

/**
 * Ignores other keys; one bad line of a known key refuses the note
 * (spec/mesh.md §B1). `verified`: known keys that signed, once, in the order of
 * `known`.
 */
export function openNote(
  raw: string,
  known: Vkey[],
): Verdict<OpenedNote, NoteRefusal> {
  const parsed = parseNote(raw);
  if (!parsed.ok) return parsed;
  const { text, signatures } = parsed.value;
  const verified: Vkey[] = [];
  for (const vkey of known) {
    const lines = signatures.filter((line) => isLineOf(line, vkey));
    if (lines.length === 0) continue;
    if (!lines.every((line) => verifyLine(text, line, vkey))) {
      return refused('signature_invalid');
    }
    verified.push(vkey);
  }
  if (verified.length === 0) return refused('no_known_signature');
  return accepted({ text, signatures, verified });
}
