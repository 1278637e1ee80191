/** A part of a text, or a run of invisible characters by their numbers. */
export type VisiblePart =
  | { text: string; mark?: never }
  | { mark: string; text?: never };

function numberOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** More kinds of a run are only counted: a mark is short. */
const KINDS = 8;

/** A run in one mark: each kind with how often it is there. */
function markOf(run: ReadonlyMap<string, number>): string {
  const kinds = [...run].map(([character, count]) =>
    count === 1 ? numberOf(character) : `${numberOf(character)} × ${count}`,
  );
  const more = kinds.length - KINDS;
  return [...kinds.slice(0, KINDS), ...(more > 0 ? [`${more} more`] : [])].join(
    ', ',
  );
}

/**
 * Splits a text at the characters that `invisible` finds, a global expression,
 * but for those that belong to the spelling. Linear in the text's length.
 */
export function visibleParts(
  text: string,
  invisible: RegExp,
  isSpelling: (character: string, at: number) => boolean = () => false,
): VisiblePart[] {
  const parts: VisiblePart[] = [];
  const run = new Map<string, number>();
  let from = 0;
  const endRun = () => {
    if (run.size > 0) parts.push({ mark: markOf(run) });
    run.clear();
  };
  for (const { 0: character, index } of text.matchAll(invisible)) {
    if (isSpelling(character, index)) continue;
    if (index > from) {
      endRun();
      parts.push({ text: text.slice(from, index) });
    }
    run.set(character, (run.get(character) ?? 0) + 1);
    from = index + character.length;
  }
  endRun();
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}
