// By hand: one bounded set, counted in three ways and paged.
import type {
  ModerationAction,
  ReportStatus,
} from '../../../protocol/moderation.js';
import type { Room } from '../../../protocol/room.js';
import { only, type Sql } from '../../db/sql.js';
import { OPEN_REPORTS } from '../../db/states.js';
import type { StateRow } from '../../moderation/index.js';
import type { Likeness } from './alike.js';
import type { DecisionSeen } from './decisions.js';

/** A picture needs no more. */
export const RELATED_MAX = 1000;

/** Has something in common with an item. */
type Related = StateRow & {
  message_id: number;
  root_id: number;
  room: Room;
  created_at: number;
  /** Texts are null once removed. */
  author: string | null;
  title: string | null;
  excerpt: string | null;
  score: number;
  last_decision: Pick<
    DecisionSeen,
    'id' | 'action' | 'stays_hidden' | 'reason' | 'operator' | 'decided_at'
  > | null;
  open_reports: number;
};

type RelationRow = {
  /** Without the item; at most a thousand. */
  total: number;
  reports: Record<ReportStatus, number>;
  decisions: Partial<Record<ModerationAction, number>>;
  data: Related[];
};

/** $2 the message, $3 begin of the page, $4 its length, $5 open. */
const relation = (condition: string) => `WITH alike AS MATERIALIZED (
    SELECT m.id FROM message m WHERE ${condition} AND m.id <> $2
    ORDER BY m.id DESC LIMIT ${RELATED_MAX}
  ) SELECT (SELECT count(*) FROM alike) AS total,
    (SELECT json_build_object(
        'received', count(*) FILTER (WHERE p.status = 'received'),
        'in_review', count(*) FILTER (WHERE p.status = 'in_review'),
        'resolved', count(*) FILTER (WHERE p.status = 'resolved'),
        'dismissed', count(*) FILTER (WHERE p.status = 'dismissed'))
      FROM alike a JOIN report p ON p.message_id = a.id) AS reports,
    (SELECT coalesce(json_object_agg(c.action, c.total), '{}')
      FROM (SELECT d.action, count(*) AS total
        FROM alike a JOIN decision d ON d.message_id = a.id
        GROUP BY d.action) c) AS decisions,
    (SELECT coalesce(json_agg(r ORDER BY r.message_id DESC), '[]') FROM (
      SELECT m.id AS message_id, m.root_id, m.room, m.created_at, m.author,
        m.title, left(m.body, 160) AS excerpt, m.score, m.removed_by,
        m.erased_by, m.visibility,
        (SELECT json_build_object('id', d.id, 'action', d.action,
            'stays_hidden', d.stays_hidden, 'reason', d.reason, 'operator', d.operator,
            'decided_at', d.decided_at)
          FROM decision d WHERE d.message_id = m.id
          ORDER BY d.id DESC LIMIT 1) AS last_decision,
        (SELECT count(*) FROM report p WHERE p.message_id = m.id
          AND p.status = ANY($5::text[])) AS open_reports
      FROM alike a JOIN message m ON m.id = a.id
      WHERE $3::bigint IS NULL OR a.id < $3
      ORDER BY a.id DESC LIMIT $4) r) AS data`;

/** With one row more than `limit`. */
export async function related(
  sql: Sql,
  { condition, parameter }: Likeness,
  id: number,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<RelationRow> {
  const values = [parameter, id, before ?? null, limit + 1, OPEN_REPORTS];
  return only(await sql.query<RelationRow>(relation(condition), values));
}
