import type { Database, Sql } from '../../server/db/sql.js';
import { messageColumns } from '../../server/reading/message-columns.js';
import {
  type MirroredRow,
  mirroredColumns,
  mirrorsOfLogs,
} from './mirror-source.js';
import { FEW, planned } from './planned.js';

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

/** A piece of the order of all mirrored messages, and the logs it is of. */
type Stretches = {
  /** The last seq of the piece. */
  until: number;
  /** Whether more had been given by then. */
  more: boolean;
  /** Readable logs that have messages there, with others of their boards. */
  logs: number[];
  /** Those of them whose boards' own hiding counts here. */
  followed: number[];
  /** Whether any of these boards has several logs. */
  several: boolean;
  /** How many logs this node has in all. */
  known: number;
};

/**
 * $1 exclusive seq, $2 how many stretches. What is given is durable already,
 * and nothing can come in between: whoever gives a seq holds the row of
 * `stream` to its commit.
 */
const NEXT = `WITH stretch AS MATERIALIZED (
    (SELECT first_seq, origin_id FROM mirror_stretch
     WHERE first_seq <= $1::bigint + 1 ORDER BY first_seq DESC LIMIT 1)
    UNION ALL
    (SELECT first_seq, origin_id FROM mirror_stretch
     WHERE first_seq > $1::bigint + 1 ORDER BY first_seq LIMIT $2::int + 1)),
  log AS MATERIALIZED (
    SELECT l.origin_id, l.board, p.decisions FROM (SELECT DISTINCT own.board
        FROM (SELECT origin_id FROM stretch
          ORDER BY first_seq LIMIT $2::int) asked
        JOIN log_state own ON own.origin_id = asked.origin_id) b
      JOIN peer p ON p.name = b.board
        AND p.status NOT IN ('pending', 'blocked')
      JOIN log_state l ON l.board = b.board AND l.origin_id > 0
        AND l.closed_at IS NULL)
  SELECT coalesce(next.first_seq - 1, s.last_id) AS until,
    next.first_seq IS NOT NULL AS more,
    ARRAY(SELECT origin_id FROM log ORDER BY origin_id) AS logs,
    ARRAY(SELECT origin_id FROM log WHERE decisions = 'follow') AS followed,
    (SELECT count(*) > count(DISTINCT board) FROM log) AS several,
    (SELECT count(*) FROM log_state) AS known
  FROM stream s LEFT JOIN (SELECT first_seq FROM stretch
    ORDER BY first_seq OFFSET $2::int LIMIT 1) next ON true
  WHERE s.name = 'mirror_updates' AND s.last_id > $1`;

/**
 * What comes after a place in this node's order, at most so many stretches of
 * one log each; null at its end. So a page asks the logs that it shows, and
 * not those of all peers.
 */
export async function nextStretches(
  sql: Sql,
  since: number,
  most: number,
): Promise<Stretches | null> {
  const [next] = await sql.query<Stretches>(NEXT, [since, most]);
  return next ?? null;
}
