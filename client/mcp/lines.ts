import { withoutMark } from '../../protocol/bytes.js';

/** A line longer than this is none: the board takes a sixteenth of it. */
const MOST_BYTES = 1 << 20;
const NEWLINE = 0x0a;

/**
 * The lines of a stream of bytes, the last one also without its end; null in
 * place of a line that is too long to keep.
 */
export async function* linesOf(
  input: AsyncIterable<Uint8Array>,
): AsyncGenerator<string | null> {
  let kept: Uint8Array[] = [];
  let bytes = 0;
  let isFirst = true;
  const take = (): string | null => {
    const text = bytes > MOST_BYTES ? null : Buffer.concat(kept).toString();
    const line = isFirst && text !== null ? withoutMark(text) : text;
    isFirst = false;
    kept = [];
    bytes = 0;
    return line;
  };
  for await (const chunk of input) {
    let from = 0;
    while (from < chunk.length) {
      const end = chunk.indexOf(NEWLINE, from);
      const part = chunk.subarray(from, end < 0 ? chunk.length : end);
      bytes += part.length;
      if (bytes <= MOST_BYTES) kept.push(part);
      else kept = [];
      if (end < 0) break;
      yield take();
      from = end + 1;
    }
  }
  if (bytes > 0) yield take();
}
