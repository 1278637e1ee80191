import { fromBase64 } from '../../../protocol/bytes.js';
import { type Content, contentFromJson } from '../../../protocol/content.js';
import { readObject } from '../../../protocol/json.js';
import { CONTENT_BYTES } from '../../../protocol/limits.js';

/** A UTF-16 unit of text is three bytes of UTF-8 at most. */
const SHORT = CONTENT_BYTES / 3;

/**
 * The text of a message line: null as removed, undefined where it is none.
 * The caller MUST compare the line with the one that the text makes.
 */
export function contentOfLine(
  line: string | undefined,
): Content | null | undefined {
  let json: Record<string, unknown> | null;
  try {
    json = readObject(JSON.parse(line ?? ''));
  } catch {
    return undefined;
  }
  if (json?.content === null) return null;
  // An escaped surrogate may be an unpaired one, which has no UTF-8.
  const plain =
    line !== undefined &&
    line.length < SHORT &&
    !line.includes('\\ud') &&
    !line.includes('\\uD');
  const quick = plain ? plainContent(readObject(json?.content)) : undefined;
  if (quick !== undefined) return quick;
  const content = contentFromJson(json?.content);
  return content.ok ? content.value : undefined;
}

/** Most messages: short, with no poll. Saves formatting each block twice. */
function plainContent(
  json: Record<string, unknown> | null,
): Content | undefined {
  const { salt: base64, name, title, body, poll } = json ?? {};
  const salt = typeof base64 === 'string' ? fromBase64(base64, 16) : null;
  if (salt === null || poll !== undefined) return undefined;
  if (typeof name !== 'string' || typeof body !== 'string') return undefined;
  if (title === undefined) return { salt, name, body };
  return typeof title === 'string' ? { salt, name, title, body } : undefined;
}
