import { BoardError } from '../../errors.js';

const DEPTH_MAX = 8;
const BROKEN = /[\p{Surrogate}\0]/u;

/**
 * What a strict JSON body may not hold either (spec/board.md §1.6): NUL,
 * unpaired surrogates, deep nesting, and bytes, which a socket could carry.
 * @throws BoardError `invalid_unicode`, `invalid_json`
 */
export function assertPlain(value: unknown, depth = 1): void {
  if (typeof value === 'string') {
    if (!BROKEN.test(value)) return;
    throw new BoardError(
      'invalid_unicode',
      'Send well-formed Unicode without NUL.',
    );
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth > DEPTH_MAX || ArrayBuffer.isView(value)) {
    throw new BoardError('invalid_json', 'Send plain JSON, 8 levels at most.');
  }
  for (const [name, inner] of Object.entries(value)) {
    assertPlain(name, depth + 1);
    assertPlain(inner, depth + 1);
  }
}
