import type { Database } from '../../server/db/sql.js';
import { fold } from '../../server/text/fold.js';
import { gramsOf } from '../../server/text/grams.js';
import { bareColumns } from '../../server/threads/message-columns.js';
import type { MergedRow } from './merged-page.js';
import { ALL_MIRRORS, mirroredColumns, ofSameBoard } from './mirror-source.js';

export type MergedSearch = {
  q: string;
  /** Only these mirrored logs; null: all. */
  originIds: readonly number[] | null;
  /** Exclusive upper place in this node's order; null: from the newest. */
  before: number | null;
  limit: number;
};

/** Messages looked through, newest first, before the index is asked. */
const NEWEST = 2000;
const TIME_MS = 1000;

const LITERAL =
  '(position($1 IN s.body_fold) > 0 OR position($1 IN s.title_fold) > 0)';

/**
 * Not removed, not hidden here, and not in a topic hidden by what is followed.
 * The topic may stand in the log of a former generation.
 */
const VISIBLE = `JOIN message m ON m.origin_id = s.origin_id
      AND m.id = s.message_id
    WHERE m.removed_at IS NULL AND (SELECT r.visibility FROM message r
      WHERE r.id = m.root_id AND ${ofSameBoard('r', 'm')})
      IS DISTINCT FROM 'hidden_by_decision'`;

/**
 * $1 folded text, $2 its grams, $3 limit, $4 exclusive upper seq, $5 logs. As
 * the search of the board's own messages: the newest are looked through, and
 * only when they do not fill the page the index gives the older candidates.
 */
const SEARCH = `
  WITH ${ALL_MIRRORS},
  recent AS MATERIALIZED (
    SELECT s.seq FROM (
      SELECT u.seq, f.* FROM (
        SELECT * FROM mirror_update WHERE seq < $4
          AND ($5::int[] IS NULL OR origin_id = ANY ($5))
        ORDER BY seq DESC LIMIT ${NEWEST}) u
      JOIN mirror_search f ON f.origin_id = u.origin_id
        AND f.message_id = u.id) s
    ${VISIBLE} AND ${LITERAL} ORDER BY s.seq DESC LIMIT $3),
  matching AS MATERIALIZED (
    SELECT s.origin_id, s.message_id FROM mirror_search s
    WHERE (SELECT count(*) FROM recent) < $3 AND s.grams @> $2::integer[]
      AND ($5::int[] IS NULL OR s.origin_id = ANY ($5)) AND ${LITERAL}),
  older AS MATERIALIZED (
    SELECT s.seq FROM (
      SELECT u.seq, f.* FROM matching f JOIN mirror_update u
        ON u.origin_id = f.origin_id AND u.id = f.message_id) s
    ${VISIBLE} AND s.seq < (SELECT seq FROM mirror_update
      WHERE seq < $4 AND ($5::int[] IS NULL OR origin_id = ANY ($5))
      ORDER BY seq DESC OFFSET ${NEWEST - 1} LIMIT 1)
    ORDER BY s.seq DESC LIMIT $3)
  SELECT u.seq, ${bareColumns('m')} ${mirroredColumns('m')}
  FROM (SELECT seq FROM recent UNION ALL SELECT seq FROM older) found
    JOIN mirror_update u ON u.seq = found.seq
    JOIN message m ON m.origin_id = u.origin_id AND m.id = u.id
  ORDER BY u.seq DESC LIMIT $3`;

/** The newest matching messages; a search that takes too long is a 503. */
export function searchMirrors(
  db: Database,
  { q, originIds, before, limit }: MergedSearch,
): Promise<MergedRow[]> {
  const folded = fold(q);
  const values = [
    folded,
    gramsOf(folded),
    limit,
    before ?? Number.MAX_SAFE_INTEGER,
    originIds,
  ];
  return db.transaction(async (tx) => {
    await tx.query(`SELECT set_config('statement_timeout', $1, true)`, [
      String(TIME_MS),
    ]);
    return await tx.query<MergedRow>(SEARCH, values);
  });
}

type Named = { origin_id: number; id: number; root_id: number };

/**
 * Which of the named messages exist on their board, with their roots, by the
 * log of the message that names them.
 */
export async function existingMirrored(
  db: Database,
  named: readonly { originId: number; id: number }[],
): Promise<Map<number, [number, number][]>> {
  const found = new Map<number, [number, number][]>();
  if (named.length === 0) return found;
  const rows = await db.query<Named>(
    `WITH ${ALL_MIRRORS}
     SELECT n.origin_id, m.id, m.root_id
     FROM unnest($1::int[], $2::bigint[]) AS n (origin_id, id)
       JOIN message m ON m.id = n.id AND ${ofSameBoard('m', 'n')}
     WHERE m.removed_at IS NULL`,
    [named.map(({ originId }) => originId), named.map(({ id }) => id)],
  );
  for (const { origin_id, id, root_id } of rows) {
    const known = found.get(origin_id) ?? [];
    found.set(origin_id, [...known, [id, root_id]]);
  }
  return found;
}
