import {
  visibleParts as partsBy,
  type VisiblePart,
} from '../../protocol/visible-parts.js';

/**
 * Controls, format and direction characters, tags, blanks that pretend to be
 * letters, unusual line ends. Not those that show (U+0600 to U+0605 and the
 * like).
 */
const INVISIBLE =
  /(?![\t\n\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** A fast test for most texts. */
const PLAIN = /^[\t\n\x20-\x7e]*$/;

/** Joiners are part of their spelling. */
const JOINED =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const PICTURE = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f/u;
const VARIED = /\p{Emoji}/u;

const ZWNJ = '\u200c';
const ZWJ = '\u200d';
const EMOJI_STYLE = '\ufe0f';
const TEXT_STYLE = '\ufe0e';

function before(text: string, at: number): string {
  const unit = text.charCodeAt(at - 1);
  const low = unit >= 0xdc00 && unit <= 0xdfff;
  return text.slice(Math.max(0, at - (low ? 2 : 1)), at);
}

function after(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}

/** Part of the spelling between its neighbours. */
function isSpelling(text: string, character: string, at: number): boolean {
  const left = before(text, at);
  if (character === EMOJI_STYLE || character === TEXT_STYLE) {
    return VARIED.test(left);
  }
  if (character !== ZWJ && character !== ZWNJ) return false;
  const right = after(text, at + 1);
  if (JOINED.test(left) && JOINED.test(right)) return true;
  return character === ZWJ && PICTURE.test(left) && PICTURE.test(right);
}

/** Marks each run by its numbers (spec/board.md §8). Linear time. */
export function visibleParts(text: string): VisiblePart[] {
  if (PLAIN.test(text)) return text === '' ? [] : [{ text }];
  return partsBy(text, INVISIBLE, (character, at) =>
    isSpelling(text, character, at),
  );
}

/** For plain text, such as titles. */
export function visibleText(text: string): string {
  return visibleParts(text)
    .map((part) => part.text ?? `[${part.mark}]`)
    .join('');
}
