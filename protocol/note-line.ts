import { concat, fromBase64, toBase64 } from './bytes.js';
import { isKeyName } from './key-name.js';

/** One signature line: `keyId` 4 bytes, `signature` 1 byte or more. */
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

/** Reads one signature line with its LF; null unless it is canonical. */
export function parseSignatureLine(text: string): NoteSignature | null {
  if (!text.startsWith(PREFIX) || !text.endsWith('\n')) return null;
  const space = text.indexOf(' ', PREFIX.length);
  if (space < 0) return null;
  const name = text.slice(PREFIX.length, space);
  const blob = fromBase64(text.slice(space + 1, -1));
  if (!isKeyName(name) || blob === null || blob.length < 5) return null;
  return { name, keyId: blob.slice(0, 4), signature: blob.slice(4) };
}
