/** `next` is what the next page is asked for with; null where there is none. */
export type Page<Row, Next = number> = { data: Row[]; next: Next | null };

/**
 * The first `limit` of rows of which one more was asked for, and where the
 * next page goes on.
 *
 * @param at what the next page is asked for with, by the last row of this one
 */
export function pageOf<Row, At>(
  rows: readonly Row[],
  limit: number,
  at: (last: Row) => At,
): Page<Row, At> {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { data, next: more ? at(last) : null };
}
