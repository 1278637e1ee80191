// By hand: joins of a page over three tables.
import { lockNamed } from '../db/named-lock.sql.js';
import type { Sql, Tx } from '../db/sql.js';
import { HIDDEN, oneOf } from '../db/states.js';

/**
 * The messages with positive votes of a period, best first (spec/board.md
 * §2.22): as SQL giving `id` and `likes`. What counts is the time of the vote.
 * Left out are removed messages and those in removed or hidden topics.
 *
 * $1 inclusive start, $2 exclusive end, both in ms; $3 how many.
 */
export const TOP_OF_PERIOD = `
  SELECT m.id, t.likes
  FROM (SELECT message_id, count(*) AS likes FROM vote
      WHERE value = 1 AND at >= $1 AND at < $2 GROUP BY message_id) t
    JOIN message m ON m.id = t.message_id AND m.removed_at IS NULL
    JOIN message r ON r.id = m.root_id AND r.removed_at IS NULL
      AND NOT ${oneOf('r.visibility', HIDDEN)}
  ORDER BY t.likes DESC, m.created_at DESC, m.id DESC LIMIT $3`;

/** IDs of the best of a period, with their votes. */
export async function topOfPeriod(
  sql: Sql,
  { start, end, max }: { start: number; end: number; max: number },
): Promise<{ id: number; likes: number }[]> {
  return await sql.query(TOP_OF_PERIOD, [start, end, max]);
}

/** Waits for another process that is making a selection. */
export async function lockSelections(tx: Tx): Promise<void> {
  await lockNamed(tx, 'selection');
}

/** A card with its original as it is now; text is null once removed. */
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
  /** In a removed or hidden topic, which discovery leaves out. */
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

/** The cards of a page of selections, newest selection first. */
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

/** The cards of one selection; none when there is no such selection. */
export function selectionCards(sql: Sql, id: number): Promise<CardRow[]> {
  return sql.query<CardRow>(`${CARDS} WHERE s.id = $1 ORDER BY c.n`, [id]);
}
