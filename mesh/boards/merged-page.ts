import type { Sql } from '../../server/db/sql.js';
import { messageColumns } from '../../server/threads/message-columns.js';
import {
  ALL_MIRRORS,
  type MirroredRow,
  mirroredColumns,
} from './mirror-source.js';

/** With its place in the order in which messages became readable here. */
export type MergedRow = MirroredRow & { seq: number };

/** A bound the planner sees, unlike a parameter; it changes no page. */
const LARGEST_PAGE = 1000;

/** A reference stays within the board of the message that names it. */
const SAME_BOARD = 'r.origin_id = m.origin_id';

/**
 * $1 exclusive seq, $2 limit, $3 preview. What is no longer readable takes no
 * place of the page, so a page is short only at the end.
 */
const pageAfter = (referencesMax: number) => `
  WITH ${ALL_MIRRORS},
  page AS MATERIALIZED (
    SELECT u.seq, u.origin_id, u.id FROM mirror_update u
    JOIN message r ON r.origin_id = u.origin_id AND r.id = u.id
    WHERE u.seq > $1 ORDER BY u.seq LIMIT least($2, ${LARGEST_PAGE}))
  SELECT page.seq,
    ${messageColumns('m', ['$3::int'], referencesMax, SAME_BOARD)}
    ${mirroredColumns('m')}
  FROM page JOIN message m ON m.origin_id = page.origin_id AND m.id = page.id
  ORDER BY page.seq`;

/** Mirrored messages above a place in this node's order, ascending. */
export async function mergedPage(
  sql: Sql,
  since: number,
  limit: number,
  preview: number,
  referencesMax: number,
): Promise<MergedRow[]> {
  return await sql.query<MergedRow>(pageAfter(referencesMax), [
    since,
    limit,
    preview,
  ]);
}
