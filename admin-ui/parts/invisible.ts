/** Joiners and selectors inside an emoji are visible as one picture. */
const IN_EMOJI = String.raw`(?<=\p{ExtPict}\ufe0f?\p{EMod}?)\u200d(?=\p{ExtPict})|(?<=\p{ExtPict})\ufe0f|(?<=[0-9#*])\ufe0f(?=\u20e3)`;

/**
 * Invisible or direction-changing: format and control characters but line break
 * and tab, blank fillers and variation selectors.
 */
const ALONE = String.raw`[\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\u{e0100}-\u{e01ef}]|(?![\t\n])\p{Cc}`;

const UNSEEN = new RegExp(`(?!${IN_EMOJI})(?:${ALONE})`, 'u');
const SPLIT = new RegExp(`((?:${UNSEEN.source})+)`, 'u');

type Piece = { text: string; unseen: boolean };

function named(letter: string): string {
  const code = letter.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

const KINDS = 8;

function markOf(run: string): string {
  const counts = new Map<string, number>();
  for (const letter of run) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const kinds = [...counts].map(([letter, count]) =>
    count === 1 ? named(letter) : `${named(letter)} × ${count}`,
  );
  const more = kinds.length - KINDS;
  const rest = more > 0 ? [`${more} more`] : [];
  return [...kinds.slice(0, KINDS), ...rest].join(', ');
}

/** Visible pieces, and names of invisible characters. */
export function piecesOf(text: string): Piece[] {
  return text
    .split(SPLIT)
    .map((part, n) =>
      n % 2 === 1
        ? { text: markOf(part), unseen: true }
        : { text: part, unseen: false },
    )
    .filter((piece) => piece.text !== '');
}

/** For places that take text only. */
export function shown(text: string): string {
  return piecesOf(text)
    .map((piece) => piece.text)
    .join('');
}

export function hasUnseen(text: string): boolean {
  return UNSEEN.test(text);
}
