import type { Wanted } from './triples.js';

/**
 * SQL of the rows of `message_search` that may hold a text: the parameter
 * `$keys` has what `wantedTriples` says, `$old` what `gramsOf` does. Rows that
 * an earlier release wrote carry their keys with them.
 */
export function searchRows(
  operator: Wanted['operator'],
  keys: string,
  old: string,
): string {
  return `(SELECT n.message_id, n.title_fold, n.body_fold
      FROM message_search n WHERE n.grams IS NULL
        AND search_grams(n.title_fold, n.body_fold)
          ${operator} ${keys}::integer[]
    UNION ALL
    SELECT o.message_id, o.title_fold, o.body_fold
      FROM message_search o WHERE o.grams @> ${old}::integer[])`;
}
