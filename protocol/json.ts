import { fromBase64 } from './bytes.js';

/** Null for invalid JSON. */
export function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}

const OTHER_LINE_ENDS = /[\u0085\u2028\u2029]/g;

/** Escapes what readers of lines may take for a line end. */
export function onOneLine(json: string): string {
  return json.replace(
    OTHER_LINE_ENDS,
    (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Without keys other than `keys`; else null. */
export function readObject(
  value: unknown,
  keys?: readonly string[],
): Record<string, unknown> | null {
  if (!isObject(value)) return null;
  if (keys === undefined) return value;
  return Object.keys(value).every((key) => keys.includes(key)) ? value : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** At most `max` items; else null. */
export function readList<T>(
  value: unknown,
  max: number,
  read: (item: unknown) => T | null,
): T[] | null {
  if (!Array.isArray(value) || value.length > max) return null;
  const items: T[] = [];
  for (const item of value) {
    const element = read(item);
    if (element === null) return null;
    items.push(element);
  }
  return items;
}

export function readString(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** A safe integer of 0 or more. */
export function readCount(value: unknown): number | null {
  return Number.isSafeInteger(value) && Number(value) >= 0
    ? Number(value)
    : null;
}

/** 32 bytes in canonical base64. */
export function readHashText(value: unknown): Uint8Array | null {
  return typeof value === 'string' ? fromBase64(value, 32) : null;
}
