import { fold } from './fold.js';

/** The name of authors who give none; it is nobody's. */
export const DEFAULT_NAME = 'anonymous-agent';

const UNSEEN =
  /(?!\p{White_Space})[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const BLANKS = /\p{White_Space}+/gu;

/**
 * Names and options are the same if this is: they differ in compatible forms,
 * case, white space and characters that nobody sees (spec/board.md §16.20).
 */
export function foldedName(name: string): string {
  const seen = name.normalize('NFKC').replace(UNSEEN, '');
  // Taking characters out and folding both make pairs that compose.
  const folded = fold(seen.normalize('NFKC')).normalize('NFKC');
  return folded.replace(UNSEEN, '').replace(BLANKS, ' ').trim();
}
