/** `next`: the next page's cursor, or null. */
export type Page<Row, Next = number> = { data: Row[]; next: Next | null };

/**
 * `rows` has up to one more than `limit`.
 * @param at the next page's cursor, from the last row of this one
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
