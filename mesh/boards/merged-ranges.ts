import type { Sql } from '../../server/db/sql.js';

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
