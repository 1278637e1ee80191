// By hand: pages over reports, cards, polls and topics at once.
import type { Sql } from '../../db/sql.js';
import { HIDDEN, OPEN_REPORTS, oneOf } from '../../db/states.js';
import type { StateRow } from '../../moderation/index.js';
import { CARD_MESSAGE } from '../../moderation/index.js';
import { POLL_COLUMNS, POLLS, type PollRow } from '../../polls/index.js';
import {
  CLAIM,
  type ClaimRow,
  lastDecision,
  REPORT,
  votes,
} from './evidence.sql.js';
import type {
  HiddenInput,
  HiddenTopic,
  PollsInput,
  QueueInput,
  QueueRow,
} from './queue.js';

/** Ended proposals without a decision; $1 the clock. */
export const AWAITING = `poll.type = 'proposal' AND poll.decision IS NULL
  AND topic.removed_at IS NULL AND poll.closes_at <= $1
  AND poll.close_reason IS DISTINCT FROM 'topic_removed'`;

/** Subjects with something open; $2 statuses of reports. */
const SUBJECTS = `
  SELECT p.subject, p.subject_kind, p.message_id, count(*) AS reports,
    count(*) FILTER (WHERE p.kind = 'appeal') AS appeals,
    array_agg(DISTINCT p.reason) AS reasons,
    min(p.created_at) AS first_at, max(p.created_at) AS last_at
  FROM (
    SELECT 'message:' || p.message_id AS subject, p.kind, p.reason,
      CASE WHEN m.reply_to IS NULL THEN 'topic' ELSE 'message' END
        AS subject_kind, p.message_id, p.created_at
    FROM report p JOIN message m ON m.id = p.message_id
    WHERE p.status = ANY($2::text[])
    UNION ALL
    SELECT 'card:' || p.card_id, p.kind, p.reason, 'card', ${CARD_MESSAGE},
      p.created_at
    FROM report p WHERE p.card_id IS NOT NULL AND p.status = ANY($2::text[])
  ) p GROUP BY p.subject, p.subject_kind, p.message_id
  UNION ALL
  SELECT 'poll:' || poll.id, 'poll', poll.root_id, 0, 0, '{}',
    poll.closes_at, poll.closes_at
  FROM poll JOIN message topic ON topic.id = poll.root_id
  WHERE ${AWAITING} AND 'received' = ANY($2::text[])`;

const QUEUE = `
  SELECT s.subject, s.subject_kind AS kind, s.message_id, s.reports, s.appeals,
    s.reasons, s.first_at, s.last_at, m.room, m.score, m.author, m.title,
    left(m.body, 160) AS excerpt, m.removed_by, m.erased_by,
    m.visibility, ${CLAIM} AS held, ${lastDecision('s.message_id')}
  FROM (${SUBJECTS}) s JOIN message m ON m.id = s.message_id
    LEFT JOIN subject_claim h ON h.subject = s.subject
  WHERE ($3::text IS NULL OR s.subject_kind = $3)
    AND ($4::text IS NULL OR $4 = ANY(s.reasons))
    AND ($5::text IS NULL OR m.room = $5)
    AND (NOT $6::boolean OR s.appeals > 0)
    AND CASE $7::text WHEN 'me' THEN h.operator_id IS NOT DISTINCT FROM $8::uuid
      WHEN 'others' THEN h.operator_id <> $8
      WHEN 'nobody' THEN h.operator_id IS NULL ELSE true END
    AND ($9::bigint IS NULL OR (s.first_at, s.subject) > ($9, $10::text))
  ORDER BY s.first_at, s.subject LIMIT $11`;

type WaitingRow = Omit<QueueRow, 'state' | 'claim'> &
  StateRow & { held: ClaimRow | null };

/** Longest wait first, and one more than `limit`. */
export async function queuePage(
  sql: Sql,
  operatorId: string | null,
  statuses: readonly string[],
  it: QueueInput,
  now: number,
): Promise<WaitingRow[]> {
  const { kind, reason, room, claimed, after } = it;
  return await sql.query<WaitingRow>(QUEUE, [
    ...[now, statuses, kind ?? null, reason ?? null, room ?? null],
    ...[it.appeals ?? false, claimed ?? null, operatorId],
    ...[after?.at ?? null, after?.subject ?? null, it.limit + 1],
  ]);
}

export async function queueTotals(
  sql: Sql,
  now: number,
): Promise<{ kind: QueueRow['kind']; total: number }[]> {
  return await sql.query(
    `SELECT s.subject_kind AS kind, count(*) AS total
     FROM (${SUBJECTS}) s GROUP BY s.subject_kind`,
    [now, OPEN_REPORTS],
  );
}

const HIDDEN_TOPICS = `SELECT t.id, t.room, t.removed_by, t.erased_by,
    t.visibility, t.score, t.author, t.title, left(t.body, 400) AS excerpt,
    t.reply_count AS replies, t.created_at, ${votes('t.id', 500)},
    (SELECT coalesce(json_agg(a), '[]') FROM (SELECT ${REPORT}
      FROM report p WHERE p.message_id = t.id AND p.kind = 'appeal'
      ORDER BY p.created_at LIMIT 50) a) AS appeals, ${lastDecision('t.id')}
  FROM message t
  WHERE t.reply_to IS NULL AND ${oneOf('t.visibility', HIDDEN)}
    AND t.removed_at IS NULL AND ($2::bigint IS NULL OR t.id < $2)
    AND ($3::text IS NULL OR t.room = $3)
  ORDER BY t.id DESC LIMIT $4`;

type HiddenRow = Omit<HiddenTopic, 'state'> & StateRow;

/** With votes and appeals, and one more than `limit`. */
export async function hiddenPage(
  sql: Sql,
  readsTexts: boolean,
  { before, room, limit }: HiddenInput,
): Promise<HiddenRow[]> {
  const values = [readsTexts, before ?? null, room ?? null, limit + 1];
  return await sql.query<HiddenRow>(HIDDEN_TOPICS, values);
}

const POLL_PAGE = `SELECT ${POLL_COLUMNS}, ${lastDecision('poll.root_id')}
  FROM ${POLLS}
  WHERE ($2::bigint IS NULL OR poll.id < $2) AND CASE $3::text
    WHEN 'awaiting' THEN ${AWAITING}
    WHEN 'open' THEN poll.closed_at IS NULL AND poll.closes_at > $1
      AND topic.removed_at IS NULL
    WHEN 'decided' THEN poll.decision IS NOT NULL
    ELSE $1::bigint IS NOT NULL END
  ORDER BY poll.id DESC LIMIT $4`;

/** Newest first, and one more than `limit`. */
export async function pollPage(
  sql: Sql,
  { before, state, limit }: PollsInput,
  now: number,
): Promise<(PollRow & { last_decision_id: number | null })[]> {
  return await sql.query(POLL_PAGE, [now, before ?? null, state, limit + 1]);
}
