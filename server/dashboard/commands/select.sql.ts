// By hand: a likeness is a condition that has its own index.
import type { Sql } from '../../db/sql.js';
import { OPEN_REPORTS } from '../../db/states.js';
import { CARD_MESSAGE, SUBJECT_NAME } from '../../moderation/index.js';
import type { Likeness } from './alike.js';
import { lastDecision, mainReason } from './evidence.sql.js';

export type Selected = {
  subject: string;
  message_id: number;
  /** For `seen` of the next decision. */
  last_decision_id: number | null;
  reports: number;
  main_reason: string | null;
  author: string | null;
  title: string | null;
  excerpt: string | null;
  /** By ratings. */
  hidden: boolean;
};

/** Of `message m`: what names it. */
const NAMED = `m.author, m.title, left(m.body, 80) AS excerpt,
  m.visibility = 'hidden_by_ratings' AS hidden`;

export const SELECTED_MAX = 10_000;

/** By subject; $2 statuses. */
const OPEN = `SELECT ${SUBJECT_NAME} AS subject, coalesce(p.message_id, ${CARD_MESSAGE}) AS message_id,
    count(*) AS reports, array_agg(p.reason) AS all_reasons
  FROM report p WHERE p.status = ANY($2::text[]) GROUP BY 1, 2`;

/** Oldest message first, and one more than the most. */
export async function alikeInQueue(
  sql: Sql,
  { condition, parameter }: Likeness,
): Promise<Selected[]> {
  return await sql.query<Selected>(
    `SELECT s.subject, s.message_id, s.reports, ${mainReason('s.all_reasons')}, ${NAMED},
       ${lastDecision('s.message_id')}
     FROM (${OPEN}) s JOIN message m ON m.id = s.message_id
     WHERE ${condition} AND m.removed_at IS NULL
     ORDER BY s.message_id, s.subject LIMIT ${SELECTED_MAX + 1}`,
    [parameter, OPEN_REPORTS],
  );
}

export async function alikeOnBoard(
  sql: Sql,
  { condition, parameter }: Likeness,
): Promise<Selected[]> {
  return await sql.query<Selected>(
    `SELECT 'message:' || s.id AS subject, s.id AS message_id,
       (SELECT count(*) FROM report p WHERE p.message_id = s.id
         AND p.status = ANY($2::text[])) AS reports, NULL AS main_reason,
       s.author, s.title, s.excerpt, s.hidden, ${lastDecision('s.id')}
     FROM (SELECT m.id, ${NAMED} FROM message m
       WHERE ${condition} AND m.removed_at IS NULL
       ORDER BY m.id LIMIT ${SELECTED_MAX + 1}) s ORDER BY s.id`,
    [parameter, OPEN_REPORTS],
  );
}
