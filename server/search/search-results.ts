import type { Context } from '../context.js';
import { referenceCandidates } from '../http/references.js';
import type { MessageRow } from '../reading/message-columns.js';
import { shownMessage, type ViewOptions } from '../reading/message-view.js';
import { excerpt } from './excerpt.js';
import { existingMessages } from './search-page.js';

/** What was found, each with the part that shows the match (spec/board.md §2.6). */
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
