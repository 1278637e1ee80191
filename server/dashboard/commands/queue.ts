import { CARD_MESSAGE } from '../../moderation/decision-order.js';
import {
  moderationState,
  type StateRow,
} from '../../moderation/decision-state.js';
import type { QueueInput } from '../schemas/read-commands.js';
import type { QueuePage, QueueRow } from '../schemas/views.js';
import type { Desk, Operator } from './action-context.js';
import { CLAIM, claimView } from './claims.js';

const EXCERPT = 160;

/** Proposals that ended and wait for a decision; $1 is the clock. */
export const AWAITING = `poll.type = 'proposal' AND poll.decision IS NULL
  AND topic.removed_at IS NULL AND poll.closes_at <= $1
  AND poll.close_reason IS DISTINCT FROM 'topic_removed'`;

/** Every subject that has something open; $2 the statuses of its reports. */
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

const PAGE = `
  SELECT s.subject, s.subject_kind AS kind, s.message_id, s.reports, s.appeals,
    s.reasons, s.first_at, s.last_at, m.room, m.score, m.author, m.title,
    left(m.body, ${EXCERPT}) AS excerpt, m.removed_by, m.erased_by,
    m.visibility, ${CLAIM} AS held, (SELECT max(d.id) FROM decision d
      WHERE d.message_id = s.message_id) AS last_decision_id
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

type Held = Parameters<typeof claimView>[0];
type Row = Omit<QueueRow, 'state' | 'claim'> & StateRow & { held: Held };

const STATUSES: Readonly<Record<QueueInput['status'], readonly string[]>> = {
  open: ['received', 'in_review'],
  received: ['received'],
  in_review: ['in_review'],
  settled: ['resolved', 'dismissed'],
};

/**
 * What waits, one row per subject, the one that has waited longest first, in
 * pages by the time and name of the last row (spec/operators.md §2.4).
 */
export async function readQueue(
  desk: Pick<Desk, 'reads' | 'clock'>,
  operator: Operator,
  input: QueueInput,
): Promise<QueuePage> {
  const now = desk.clock.now();
  const { after, limit } = input;
  const [rows, totals] = await Promise.all([
    desk.reads.query<Row>(PAGE, [
      now,
      STATUSES[input.status],
      input.kind ?? null,
      input.reason ?? null,
      input.room ?? null,
      input.appeals ?? false,
      input.claimed ?? null,
      operator.operatorId,
      after?.at ?? null,
      after?.subject ?? null,
      limit + 1,
    ]),
    after === undefined ? readTotals(desk, now) : null,
  ]);
  const data = rows.slice(0, limit).map((row) => shown(row, operator));
  const last = data.at(-1);
  const next =
    rows.length > limit && last !== undefined
      ? { at: last.first_at, subject: last.subject }
      : null;
  return { data, next, totals };
}

function shown(row: Row, operator: Operator): QueueRow {
  const { held, removed_by, erased_by, visibility, ...rest } = row;
  const state = moderationState({ removed_by, erased_by, visibility });
  return { ...rest, state, claim: claimView(held, operator) };
}

async function readTotals(
  { reads }: Pick<Desk, 'reads'>,
  now: number,
): Promise<NonNullable<QueuePage['totals']>> {
  const rows = await reads.query<{ kind: QueueRow['kind']; total: number }>(
    `SELECT s.subject_kind AS kind, count(*) AS total
     FROM (${SUBJECTS}) s GROUP BY s.subject_kind`,
    [now, STATUSES.open],
  );
  const none = { topic: 0, message: 0, card: 0, poll: 0 };
  const found = rows.map(({ kind, total }) => [kind, total]);
  return { ...none, ...Object.fromEntries(found) };
}
