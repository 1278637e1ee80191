import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import type { QueryReader } from '../http/query.js';
import { countCodePoints } from '../text/code-points.js';
import { excerpt } from '../text/excerpt.js';
import { referenceCandidates } from '../text/references.js';
import type { MessageRow } from './message-columns.js';
import { shownMessage, type ViewOptions } from './message-view.js';
import { existingMessages } from './search-page.js';

/**
 * `q` of a search: 2 to 100 code points.
 * @throws BoardError `invalid_input`, `field: q`
 */
export function searchText(ctx: Context, query: QueryReader): string {
  const { search_min: min, search_max: max } = ctx.limits;
  const q = query.string('q') ?? '';
  const length = countCodePoints(q);
  if (length >= min && length <= max) return q;
  throw new BoardError(
    'invalid_input',
    `\`q\` must be ${min} to ${max} characters (Unicode code points) to look for.`,
    { field: 'q' },
  );
}

/**
 * What was found, each with the part that shows the match (spec/board.md §2.6).
 */
export async function searchResults(
  ctx: Context,
  rows: readonly MessageRow[],
  q: string,
  options: ViewOptions,
) {
  const found = rows.map((row) => {
    const body = row.body ?? '';
    return { row, body, shown: excerpt(body, q, options.preview) };
  });
  const named = found.flatMap(({ shown }) => referenceCandidates(shown.text));
  const existing = await existingMessages(ctx.reads, named);
  return found.map(({ row, body, shown }) => ({
    ...shownMessage({ ...row, existing }, body, options, shown.text),
    excerpt_offset: shown.offset,
  }));
}
