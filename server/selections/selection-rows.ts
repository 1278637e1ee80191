import type { Sql } from '../db/sql.js';

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
    (r.removed_at IS NOT NULL OR r.visibility IN
      ('hidden_by_ratings', 'hidden_by_decision')) AS excluded
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
