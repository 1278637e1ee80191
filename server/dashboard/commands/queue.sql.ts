// By hand: pages over reports, cards, polls and topics at once.
import type { Sql } from '../../db/sql.js';
import { HIDDEN, OPEN_REPORTS, oneOf } from '../../db/states.js';
import {
  CARD_MESSAGE,
  CLAIM_MS,
  type StateRow,
  SUBJECT_NAME,
} from '../../moderation/index.js';
import { POLL_COLUMNS, POLLS, type PollRow } from '../../polls/index.js';
import {
  CLAIM,
  type ClaimRow,
  lastDecision,
  mainReason,
  mirroredMessage,
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

/** Subjects with something open; $2 statuses of reports. Without their texts,
 * which only the rows of a page need. */
const SUBJECTS = `
  SELECT ${SUBJECT_NAME} AS subject,
    CASE WHEN p.card_id IS NOT NULL THEN 'card' WHEN p.board IS NOT NULL
      THEN 'mirrored' WHEN m.reply_to IS NULL THEN 'topic' ELSE 'message' END
      AS subject_kind,
    coalesce(p.message_id, p.mirrored_id, ${CARD_MESSAGE}) AS message_id,
    p.board, p.reports, p.appeals, p.all_reasons, p.first_at, p.last_at
  FROM (SELECT p.message_id, p.card_id, p.board, p.mirrored_id,
      count(*) AS reports, count(*) FILTER (WHERE p.kind = 'appeal') AS appeals,
      array_agg(p.reason) AS all_reasons,
      min(p.created_at) AS first_at, max(p.created_at) AS last_at
    FROM report p WHERE p.status = ANY($2::text[])
    GROUP BY p.message_id, p.card_id, p.board, p.mirrored_id) p
    LEFT JOIN message m ON m.id = p.message_id
  UNION ALL
  SELECT 'poll:' || poll.id, 'poll', poll.root_id, NULL, 0, 0, '{}',
    poll.closes_at, poll.closes_at
  FROM poll JOIN message topic ON topic.id = poll.root_id
  WHERE ${AWAITING} AND 'received' = ANY($2::text[])`;

/** By reports only where $12 says so. */
const RANK = `CASE WHEN $12::boolean THEN -s.reports ELSE 0 END`;

const QUEUE = `
  SELECT s.subject, s.subject_kind AS kind, s.message_id, s.reports, s.appeals,
    ARRAY(SELECT DISTINCT unnest(s.all_reasons) ORDER BY 1) AS reasons,
    ${mainReason('s.all_reasons')}, s.first_at, s.last_at,
    encode(m.text_key, 'hex') AS text_key, (SELECT json_build_object(
        'operator', d.operator, 'at', d.decided_at)
      FROM decision d WHERE d.message_id = m.id AND d.action = 'keep'
        AND NOT EXISTS (SELECT FROM decision n
          WHERE n.message_id = m.id AND n.id > d.id AND n.poll_id IS NULL))
      AS kept,
    coalesce(m.room, o.room) AS room,
    coalesce(m.score, 0) AS score, coalesce(m.author, o.author) AS author,
    coalesce(m.title, o.title) AS title,
    left(coalesce(m.body, o.body), 160) AS excerpt,
    coalesce(m.removed_by, o.removed_by) AS removed_by, m.erased_by,
    (SELECT count(*) FROM report r WHERE r.message_id = m.id
      AND r.repeats IS NOT NULL) AS repeated,
    coalesce(m.visibility, o.seen_as) AS visibility, ${CLAIM} AS held,
    ${lastDecision('m.id')}
  FROM (SELECT s.* FROM (${SUBJECTS}) s LEFT JOIN subject_claim h
        ON h.subject = s.subject AND h.claimed_at > $1 - ${CLAIM_MS}
      WHERE s.message_id IS NOT NULL
        AND ($3::text IS NULL OR s.subject_kind = $3)
        AND ($4::text IS NULL OR $4 = ANY(s.all_reasons))
        AND (NOT $6::boolean OR s.appeals > 0)
        AND CASE $7::text
          WHEN 'me' THEN h.operator_id IS NOT DISTINCT FROM $8::uuid
          WHEN 'others' THEN h.operator_id <> $8
          WHEN 'nobody' THEN h.operator_id IS NULL ELSE true END
        AND CASE WHEN s.board IS NULL THEN $5::text IS NULL OR EXISTS (
            SELECT FROM message m WHERE m.id = s.message_id AND m.room = $5)
          ELSE EXISTS (SELECT FROM ${mirroredMessage('s.board', 's.message_id')}
            o WHERE $5::text IS NULL OR o.room = $5) END
        AND ($9::bigint IS NULL
          OR (${RANK}, s.first_at, s.subject) > (-$13::bigint, $9, $10::text))
      ORDER BY ${RANK}, s.first_at, s.subject LIMIT $11) s
    LEFT JOIN message m ON m.id = s.message_id AND s.board IS NULL
    LEFT JOIN LATERAL ${mirroredMessage('s.board', 's.message_id')} o ON true
  ORDER BY ${RANK}, s.first_at, s.subject`;

type WaitingRow = Omit<QueueRow, 'state' | 'claim'> &
  StateRow & { held: ClaimRow | null };

/** In the order asked for, and one more than `limit`. */
export async function queuePage(
  sql: Sql,
  operatorId: string | null,
  statuses: readonly string[],
  it: QueueInput,
  now: number,
): Promise<WaitingRow[]> {
  const { kind, reason, room, claimed, after } = it;
  const byReports = it.order === 'most_reports';
  return await sql.query<WaitingRow>(QUEUE, [
    ...[now, statuses, kind ?? null, reason ?? null, room ?? null],
    ...[it.appeals ?? false, claimed ?? null, operatorId],
    ...[after?.at ?? null, after?.subject ?? null, it.limit + 1],
    ...[byReports, byReports ? (after?.reports ?? 0) : 0],
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
