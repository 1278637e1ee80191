import type { Database } from '../../server/db/sql.js';
import { fold } from '../../server/text/fold.js';
import { gramsOf } from '../../server/text/grams.js';
import { bareColumns } from '../../server/threads/message-columns.js';
import type { MergedRow } from './merged-page.js';
import { ALL_MIRRORS, mirroredColumns } from './mirror-source.js';

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

/** Each log of a board that has several, with each of its others. */
const GENERATIONS = `generation AS MATERIALIZED (
    SELECT own.origin_id, l.origin_id AS other
    FROM log_state own JOIN log_state l ON l.board = own.board
      AND l.origin_id <> own.origin_id AND l.closed_at IS NULL
    WHERE own.origin_id > 0 AND l.origin_id > 0)`;

/**
 * The page of what matches in `s`: not removed, not hidden here, and not in a
 * topic hidden by what is followed; that topic may stand in the log of another
 * generation of its board. $1 folded text, $2 limit.
 */
function pageOf(candidates: string): string {
  return `SELECT s.seq, ${bareColumns('m')} ${mirroredColumns('m')}
    FROM (${candidates}) s
    JOIN message m ON m.origin_id = s.origin_id AND m.id = s.message_id
    LEFT JOIN message r ON r.origin_id = m.origin_id AND r.id = m.root_id
    WHERE m.removed_at IS NULL AND ${LITERAL} AND coalesce(r.visibility,
      (SELECT o.visibility FROM generation g
         JOIN message o ON o.origin_id = g.other AND o.id = m.root_id
       WHERE g.origin_id = m.origin_id ORDER BY g.other DESC LIMIT 1))
      IS DISTINCT FROM 'hidden_by_decision'
    ORDER BY s.seq DESC LIMIT $2`;
}

/** $3 exclusive upper seq, $4 logs: the newest are looked through. */
const RECENT = `
  WITH ${ALL_MIRRORS}, ${GENERATIONS}
  ${pageOf(`SELECT u.seq, f.* FROM (
      SELECT * FROM mirror_update WHERE seq < $3
        AND ($4::int[] IS NULL OR origin_id = ANY ($4))
      ORDER BY seq DESC LIMIT ${NEWEST}) u
    JOIN mirror_search f ON f.origin_id = u.origin_id
      AND f.message_id = u.id`)}`;

/** Where {@link RECENT} ends; no row where nothing is older. */
const END = `SELECT seq FROM mirror_update WHERE seq < $1
    AND ($2::int[] IS NULL OR origin_id = ANY ($2))
  ORDER BY seq DESC OFFSET ${NEWEST - 1} LIMIT 1`;

/** $3 exclusive upper seq, $4 logs, $5 grams: the index gives candidates. */
const OLDER = `
  WITH ${ALL_MIRRORS}, ${GENERATIONS},
  matching AS MATERIALIZED (
    SELECT s.* FROM mirror_search s WHERE s.grams @> $5::integer[]
      AND ($4::int[] IS NULL OR s.origin_id = ANY ($4)) AND ${LITERAL})
  ${pageOf(`SELECT u.seq, f.* FROM matching f
    JOIN mirror_update u ON u.origin_id = f.origin_id
      AND u.id = f.message_id AND u.seq < $3`)}`;

/**
 * The newest matching messages. As the search of the board's own: the newest
 * are looked through, and only when they do not fill the page the index is
 * asked for older ones. A statement that takes too long is a 503.
 */
export function searchMirrors(
  db: Database,
  { q, originIds, before, limit }: MergedSearch,
): Promise<MergedRow[]> {
  const folded = fold(q);
  const below = before ?? Number.MAX_SAFE_INTEGER;
  return db.transaction(async (tx) => {
    await tx.query(`SELECT set_config('statement_timeout', $1, true)`, [
      String(TIME_MS),
    ]);
    const values = [folded, limit, below, originIds];
    const recent = await tx.query<MergedRow>(RECENT, values);
    if (recent.length === limit) return recent;
    const [end] = await tx.query<{ seq: number }>(END, [below, originIds]);
    if (end === undefined) return recent;
    const left = limit - recent.length;
    const grams = gramsOf(folded);
    const more = [folded, left, end.seq, originIds, grams];
    return [...recent, ...(await tx.query<MergedRow>(OLDER, more))];
  });
}
