import { COMMON, FULL } from './case-folding.js';

const ASCII = /^[\0-\x7f]*$/;

function parse(hex: string): number {
  return Number.parseInt(hex, 16);
}

function entries(table: string): [string, string][] {
  const items = table.trim().split(/\s+/);
  return items.map((item) => item.split(':') as [string, string]);
}

/** Every code point that changes, as a string, and what it becomes. */
function readTables(): Map<string, string> {
  const folded = new Map<string, string>();
  for (const [range, target] of entries(COMMON)) {
    const [span = '', step = '1'] = range.split('/');
    const [first = '', last = first] = span.split('-');
    const distance = parse(target) - parse(first);
    for (let at = parse(first); at <= parse(last); at += Number(step)) {
      folded.set(String.fromCodePoint(at), String.fromCodePoint(at + distance));
    }
  }
  for (const [from, targets] of entries(FULL)) {
    const to = targets.split('+').map(parse);
    folded.set(String.fromCodePoint(parse(from)), String.fromCodePoint(...to));
  }
  return folded;
}

const FOLDED: ReadonlyMap<string, string> = readTables();
const FOLDABLE = new RegExp(`[${[...FOLDED.keys()].join('')}]`, 'gu');

/**
 * Unicode case folding, statuses C and F, code point by code point; nothing
 * is normalised (spec/board.md §2.6). Not the language's lower case: ẞ gives
 * ss, ς gives σ, ı stays ı.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.replace(FOLDABLE, (character) => FOLDED.get(character) ?? '');
}
