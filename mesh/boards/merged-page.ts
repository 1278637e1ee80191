import type { Database } from '../../server/db/sql.js';
import { messageColumns } from '../../server/reading/message-columns.js';
import {
  type MirroredRow,
  mirroredColumns,
  mirrorsOfLogs,
} from './mirror-source.js';
import { FEW, planned } from './planned.js';
import { nextStretches } from './merged-ranges.js';

/** With its place in the order in which messages became readable here. */
export type MergedRow = MirroredRow & { seq: number };

/** A bound the planner sees, unlike a parameter; it changes no page. */
const LARGEST_PAGE = 1000;

/** A reference stays within the board of the message that names it. */
const SAME_BOARD = 'r.origin_id = m.origin_id';

/**
 * $1 exclusive seq, $2 inclusive one, $3 and $4 as in `mirrorsOfLogs`, $5
 * limit, $6 preview. What is no longer readable takes no place of the page,
 * so a page is short only at the end. The upper bound comes last: a plan that
 * does not know the values would take what is between both for few rows.
 */
const within = (referencesMax: number, several: boolean) => `
  WITH ${mirrorsOfLogs(3, several)},
  page AS MATERIALIZED (
    SELECT u.seq, u.origin_id, u.id FROM mirror_update u
    JOIN message r ON r.origin_id = u.origin_id AND r.id = u.id
    WHERE u.seq > $1 AND u.origin_id = ANY ($3::int[])
    ORDER BY u.seq LIMIT least($5, ${LARGEST_PAGE}))
  SELECT page.seq,
    ${messageColumns('m', ['$6::int'], referencesMax, SAME_BOARD)}
    ${mirroredColumns('m')}
  FROM page JOIN message m ON m.origin_id = page.origin_id AND m.id = page.id
  WHERE page.seq <= $2::bigint ORDER BY page.seq`;

/** Mirrored messages above a place in this node's order, ascending. */
export async function mergedPage(
  db: Database,
  since: number,
  limit: number,
  preview: number,
  referencesMax: number,
): Promise<MergedRow[]> {
  const rows: MergedRow[] = [];
  for (let after = since, more = true; more && rows.length < limit; ) {
    const next = await nextStretches(db, after, limit);
    if (next === null) break;
    const left = limit - rows.length;
    const text = within(referencesMax, next.several);
    const { until, logs, followed } = next;
    const values = [after, until, logs, followed, left, preview];
    const found =
      next.known <= FEW
        ? await db.query<MergedRow>(text, values)
        : await planned<MergedRow>(db, text, values);
    rows.push(...found);
    ({ until: after, more } = next);
  }
  return rows;
}
