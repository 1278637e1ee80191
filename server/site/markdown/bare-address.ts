import type { StateInline } from 'markdown-it';
import { webAddress } from './address.js';
import { pushLink } from './link.js';

const COLON = 0x3a;
const SCHEME = /(?:^|[\s(*_~])(https?)$/i;
const ENDS_WORD = /[\s<>"`[\]\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/** Left to the sentence when they stand last; each run is looked at once. */
const CLOSING = /(?<![.,;:!?'*_~])[.,;:!?'*_~]+$/;

/** Where an address that starts before `from` ends: at a blank or bracket. */
function endOfAddress(src: string, from: number, max: number): number {
  let depth = 0;
  let at = from;
  for (; at < max; at += 1) {
    const character = src[at] ?? '';
    if (ENDS_WORD.test(character)) break;
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0) break;
  }
  return at;
}

/**
 * An address that stands in the text as it is. Asked at its colon, as the text
 * before it has been taken for a word by then.
 */
export function bareAddress(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  if (src.charCodeAt(pos) !== COLON || state.linkLevel > 0) return false;
  if (!src.startsWith('://', pos)) return false;
  const scheme = SCHEME.exec(src.slice(Math.max(0, pos - 6), pos))?.[1];
  if (scheme === undefined) return false;
  const start = pos - scheme.length;
  if (!silent && !state.pending.endsWith(scheme)) return false;
  const end = endOfAddress(src, pos, posMax);
  const text = src.slice(start, end).replace(CLOSING, '');
  const address = webAddress(text);
  if (address === null) {
    // Taken for a word: its later colons would only read it all again.
    if (!silent) state.pending += src.slice(pos, end);
    state.pos = end;
    return true;
  }
  if (!silent) {
    state.pending = state.pending.slice(0, -scheme.length);
    pushLink(state, address, text, () => {
      state.push('text', '', 0).content = text;
    });
  }
  state.pos = start + text.length;
  return true;
}
