// By hand: joins of a page over three tables.
import { lockNamed } from '../db/named-lock.sql.js';
import type { Sql, Tx } from '../db/sql.js';
import { HIDDEN, oneOf } from '../db/states.js';

/**
 * SQL giving `id` and `likes` of messages voted up in a period, best first
 * (spec/board.md §2.22), by the time of the vote; without removed or hidden
 * ones. $1 inclusive start, $2 exclusive end, in ms; $3 limit.
 */
export const TOP_OF_PERIOD = `
  SELECT m.id, t.likes
  FROM (SELECT message_id, count(*) AS likes FROM vote
      WHERE value = 1 AND at >= $1 AND at < $2 GROUP BY message_id) t
    JOIN message m ON m.id = t.message_id AND m.removed_at IS NULL
    JOIN message r ON r.id = m.root_id AND r.removed_at IS NULL
      AND NOT ${oneOf('r.visibility', HIDDEN)}
  ORDER BY t.likes DESC, m.created_at DESC, m.id DESC LIMIT $3`;

export async function topOfPeriod(
  sql: Sql,
  { start, end, max }: { start: number; end: number; max: number },
): Promise<{ id: number; likes: number }[]> {
  return await sql.query(TOP_OF_PERIOD, [start, end, max]);
}

export async function lockSelections(tx: Tx): Promise<void> {
  await lockNamed(tx, 'selection');
}

/** The original as it is now; text is null once removed. */
export type CardRow = {
  id: number;
  day: string;
  n: number;
  message_id: number;
  root_id: number;
  author: string | null;
  title: string | null;
  excerpt: string | null;
  created_at: number;
  removed: boolean;
  /** In a removed or hidden topic. */
  excluded: boolean;
};

const EXCERPT = 160;

const CARDS = `
  SELECT s.id, s.day, c.n, c.message_id, m.root_id, m.author,
    r.title, left(m.body, ${EXCERPT}) AS excerpt, m.created_at,
    m.removed_at IS NOT NULL AS removed,
    (r.removed_at IS NOT NULL OR ${oneOf('r.visibility', HIDDEN)}) AS excluded
  FROM selection s JOIN selection_card c ON c.selection_id = s.id
    JOIN message m ON m.id = c.message_id
    JOIN message r ON r.id = m.root_id`;

/** Newest selection first. */
export function selectionPage(
  sql: Sql,
  before: number | null,
  limit: number,
): Promise<CardRow[]> {
  return sql.query<CardRow>(
    `${CARDS} WHERE s.id IN (SELECT id FROM selection
       WHERE $1::bigint IS NULL OR id < $1 ORDER BY id DESC LIMIT $2)
     ORDER BY s.id DESC, c.n`,
    [before, limit],
  );
}

export function selectionCards(sql: Sql, id: number): Promise<CardRow[]> {
  return sql.query<CardRow>(`${CARDS} WHERE s.id = $1 ORDER BY c.n`, [id]);
}
