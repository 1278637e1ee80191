import { fromBase64, toBase64 } from './bytes.js';

/**
 * Printable ASCII, LF: a header, then `name value` lines in the order of
 * `names`; `?` marks optional ones (spec/mesh.md §B1). Else null.
 */
export function readFields(
  text: string,
  header: string,
  names: readonly string[],
): Map<string, string> | null {
  if (!/^[ -~\n]+\n$/.test(text)) return null;
  if (!text.startsWith(header) || text[header.length] !== '\n') return null;
  const fields = new Map<string, string>();
  let at = header.length + 1;
  for (const spec of names) {
    const name = spec.endsWith('?') ? spec.slice(0, -1) : spec;
    const value = at + name.length + 1;
    if (text.startsWith(name, at) && text[value - 1] === ' ') {
      const end = text.indexOf('\n', value);
      fields.set(name, text.slice(value, end));
      at = end + 1;
    } else if (name === spec) {
      return null;
    }
  }
  return at === text.length ? fields : null;
}

/** Undefined values leave no line. */
export function writeFields(
  header: string,
  fields: readonly (readonly [string, string | number | undefined])[],
): string {
  let text = `${header}\n`;
  for (const [name, value] of fields) {
    if (value !== undefined) text += `${name} ${value}\n`;
  }
  return text;
}

/** 0..2^53-1 without leading zero; else null. */
export function readInteger(text: string | undefined): number | null {
  if (text === undefined || !/^(?:0|[1-9][0-9]{0,15})$/.test(text)) return null;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : null;
}

/** From 1. */
export function readId(text: string | undefined): number | null {
  const value = readInteger(text);
  return value === 0 ? null : value;
}

/** 32 bytes of canonical base64; else null. */
export function readHash(text: string | undefined): Uint8Array | null {
  return text === undefined ? null : fromBase64(text, 32);
}

/** `-` is null; undefined for anything else. */
export function readHashOrDash(
  text: string | undefined,
): Uint8Array | null | undefined {
  return text === '-' ? null : (readHash(text) ?? undefined);
}

export function hashOrDash(hash: Uint8Array | null): string {
  return hash === null ? '-' : toBase64(hash);
}

/** A lower-case UUID of any version (spec/board.md §1.6). */
export function isUuid(text: string | undefined): text is string {
  return (
    text !== undefined &&
    /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(text)
  );
}
