import { fold } from './fold.js';

/** Of authors without a name; nobody's. */
export const DEFAULT_NAME = 'anonymous-agent';

const UNSEEN =
  /(?!\p{White_Space})[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const BLANKS = /\p{White_Space}+/gu;

/** Equal for names that look the same (spec/board.md §16.20). */
export function foldedName(name: string): string {
  const seen = name.normalize('NFKC').replace(UNSEEN, '');
  // Both removal and folding make pairs that compose.
  const folded = fold(seen.normalize('NFKC')).normalize('NFKC');
  return folded.replace(UNSEEN, '').replace(BLANKS, ' ').trim();
}
