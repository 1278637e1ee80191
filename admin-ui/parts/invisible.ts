import {
  type VisiblePart,
  visibleParts,
} from '../../protocol/visible-parts.js';

/** Joiners and selectors inside an emoji are visible as one picture. */
const IN_EMOJI = String.raw`(?<=\p{ExtPict}\ufe0f?\p{EMod}?)\u200d(?=\p{ExtPict})|(?<=\p{ExtPict})\ufe0f|(?<=[0-9#*])\ufe0f(?=\u20e3)`;

/**
 * Invisible or direction-changing: format and control characters but line break
 * and tab, blank fillers and variation selectors.
 */
const ALONE = String.raw`[\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\u{e0100}-\u{e01ef}]|(?![\t\n])\p{Cc}`;

const UNSEEN = new RegExp(`(?!${IN_EMOJI})(?:${ALONE})`, 'gu');

/** Visible pieces, and names of invisible characters. */
export function piecesOf(text: string): VisiblePart[] {
  return visibleParts(text, UNSEEN);
}

/** For places that take text only. */
export function shown(text: string): string {
  return piecesOf(text)
    .map(({ text, mark }) => text ?? mark)
    .join('');
}

export function hasUnseen(text: string): boolean {
  return text.search(UNSEEN) >= 0;
}
