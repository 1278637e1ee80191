// By hand: JSON joins, keyset cursors, locks while writing.
import { In } from 'typeorm';
import type { Room } from '../../../protocol/room.js';
import { Decision } from '../../db/entities/decision.js';
import { Report } from '../../db/entities/report.js';
import type { Sql, Tx } from '../../db/sql.js';
import type { KeyStatus } from '../../db/states.js';
import {
  CARD_MESSAGE,
  CLAIM_MS,
  reportsOn,
  type StateRow,
  SUBJECT_NAME,
} from '../../moderation/index.js';
import { type PollRow, pollOfRoot } from '../../polls/index.js';
import type { DecisionSeen, DecisionsInput } from './decisions.js';
import type { Mirror, ThreadMessage, VoteSeen } from './item.js';
import type { ReportSeen, ReportsInput } from './reports.js';

/** As a row; times in ms. */
export type ClaimRow = { operator_id: string; operator: string; at: number };

/** SQL: the claim of `s` as JSON, or null. */
export const CLAIM = `(SELECT json_build_object('operator_id', c.operator_id,
    'operator', o.alias, 'at', c.claimed_at)
  FROM subject_claim c JOIN operator o ON o.id = c.operator_id
  WHERE c.subject = s.subject)`;

/** Of `report p`. $1: whether private texts may be seen. */
export const REPORT = `p.request_id, ${SUBJECT_NAME} AS subject,
  p.kind, p.reason, CASE WHEN $1::boolean THEN p.detail END AS detail,
  p.author_verified, p.status, p.created_at, p.status_at, p.claimed_by,
  p.decision_id, p.repeats`;

/** Of `decision d JOIN message m`; notes are operators' own. */
const DECISION = `d.id, d.message_id, d.poll_id, m.room, d.action,
  d.outcome, d.stays_hidden, d.reason, d.explanation, d.private_note, d.operator, d.decided_at,
  d.supersedes, (SELECT min(n.id) FROM decision n
    WHERE n.message_id = d.message_id AND n.supersedes = d.id)
    AS superseded_by, d.log_index,
  (SELECT r.title FROM message r WHERE r.id = m.root_id) AS title`;

export const lastDecision = (id: string) =>
  `(SELECT max(d.id) FROM decision d WHERE d.message_id = ${id})
    AS last_decision_id`;

/** Of an array of reasons. An aggregate of its own would sort every subject. */
export const mainReason = (all: string) =>
  `CASE cardinality(${all}) WHEN 1 THEN (${all})[1] ELSE (SELECT
    mode() WITHIN GROUP (ORDER BY r) FROM unnest(${all}) r) END AS main_reason`;

/** Times and signs, no networks. */
export const votes = (id: string, max: number) =>
  `(SELECT coalesce(json_agg(json_build_object('at', v.at,
      'value', v.value) ORDER BY v.at), '[]')
    FROM (SELECT at, value FROM vote WHERE message_id = ${id}
      ORDER BY at LIMIT ${max}) v) AS votes`;

const FILTERS = {
  before: 'd.id < :before',
  action: 'd.action = :action',
  reason: 'd.reason = :reason',
  operator: 'd.operator = :operator',
  room: 'm.room = :room',
  message_id: 'd.messageId = :message_id',
  from: 'd.decidedAt >= :from',
  to: 'd.decidedAt < :to',
} as const;

/** Newest first, and one more than `limit`. */
export async function decisionPage(
  { manager }: Sql,
  it: DecisionsInput,
): Promise<DecisionSeen[]> {
  const page = manager
    .createQueryBuilder(Decision, 'd')
    .innerJoin('d.message', 'm')
    .select(DECISION)
    .orderBy('d.id', 'DESC')
    .limit(it.limit + 1);
  for (const [name, condition] of Object.entries(FILTERS)) {
    const value = it[name as keyof typeof FILTERS];
    if (value !== undefined) page.andWhere(condition, { [name]: value });
  }
  return await page.getRawMany<DecisionSeen>();
}

const REPORTS = `SELECT ${REPORT} FROM report p
  WHERE ($2::text[] IS NULL OR p.status = ANY($2))
    AND ($3::text IS NULL OR p.kind = $3)
    AND ($4::bigint IS NULL OR p.message_id = $4)
    AND ($5::text IS NULL OR p.card_id = $5)
    AND ($6::uuid IS NULL OR (p.created_at, p.request_id) >
      (SELECT a.created_at, a.request_id FROM report a
        WHERE a.request_id = $6))
    AND ($7::text IS NULL OR p.board = $7 AND p.mirrored_id = $8::bigint)
  ORDER BY p.created_at, p.request_id LIMIT $9`;

/** Oldest first, and one more than `limit`; null: any status. */
export async function reportPage(
  sql: Sql,
  readsTexts: boolean,
  statuses: readonly string[] | null,
  { kind, subject, after, limit }: ReportsInput,
): Promise<ReportSeen[]> {
  const on = subject === undefined ? {} : reportsOn(subject);
  const { messageId, cardId, board, mirroredId } = on;
  const filters = [kind, messageId, cardId, after, board, mirroredId];
  return await sql.query(REPORTS, [
    ...[readsTexts, statuses, ...filters.map((it) => it ?? null), limit + 1],
  ]);
}

export type ReportToSettle = {
  request_id: string;
  status: ReportSeen['status'];
  status_at: number;
  decision_id: number | null;
  subject: string;
  /** Also of a card. */
  message_id: number | null;
};

/** In order of IDs. */
export async function lockReports(
  { manager }: Tx,
  ids: readonly string[],
): Promise<ReportToSettle[]> {
  return await manager
    .createQueryBuilder(Report, 'p')
    .select(['p.requestId AS request_id', 'p.status AS status'])
    .addSelect(['p.statusAt AS status_at', 'p.decisionId AS decision_id'])
    .addSelect(SUBJECT_NAME, 'subject')
    .addSelect(`coalesce(p.message_id, ${CARD_MESSAGE})`, 'message_id')
    .where({ requestId: In(ids) })
    .orderBy('p.requestId')
    .setLock('pessimistic_write')
    .getRawMany<ReportToSettle>();
}

/** False: another operator's, which has not lapsed. */
export async function takeClaim(
  tx: Tx,
  subject: string,
  operatorId: string,
  { takeOver, seen }: { takeOver: boolean; seen?: string | undefined },
  now: number,
): Promise<boolean> {
  const taken = await tx.query(
    `INSERT INTO subject_claim AS c (subject, operator_id, claimed_at)
     VALUES ($1, $2, $3)
     ON CONFLICT (subject) DO UPDATE SET operator_id = $2, claimed_at = $3
       WHERE ($4 AND coalesce((SELECT o.alias = $5::text FROM operator o
           WHERE o.id = c.operator_id), true)) OR c.operator_id = $2
         OR c.claimed_at <= $3 - ${CLAIM_MS} RETURNING 1 AS done`,
    [subject, operatorId, now, takeOver, seen ?? null],
  );
  return taken.length > 0;
}

const MESSAGE = `m.id, m.reply_to, m.author, m.title, m.body, m.created_at,
  m.removed_by, m.erased_by, m.visibility`;

export type MessageRow = StateRow & Omit<ThreadMessage, 'state'>;
type ItemRow = MessageRow & {
  root_id: number;
  room: Room;
  score: number;
  request_id: string;
  agent_id: string | null;
  key_seq: number | null;
  /** Now. */
  key_status: KeyStatus | null;
  votes: VoteSeen[];
  /** Of a removed message, if asked for. */
  sealed: { title: string | null; body: string; author: string } | null;
  reports: ReportSeen[];
  decisions: DecisionSeen[];
  message_hash: Buffer;
  log_index: number;
  poll: PollRow | null;
  held: ClaimRow | null;
};

/** $1 private texts, $2 message, $3 subject, $4 sealed text. */
const ITEM = `SELECT ${MESSAGE}, m.root_id, m.room, m.score, m.request_id,
    m.agent_id, m.key_seq, m.message_hash, m.log_index,
    (SELECT k.status FROM agent_key k
      WHERE k.origin_id = 0 AND k.agent_id = m.agent_id) AS key_status,
    ${votes('m.id', 2000)}, ${pollOfRoot('m')} AS poll,
    (SELECT json_build_object('title', c.title, 'body', c.body,
        'author', c.author) FROM sealed_content c
      WHERE c.message_id = m.id AND $4::boolean) AS sealed,
    (SELECT coalesce(json_agg(r), '[]') FROM (SELECT ${REPORT}
      FROM report p WHERE coalesce(p.message_id, ${CARD_MESSAGE}) = m.id
      ORDER BY p.created_at DESC LIMIT 500) r) AS reports,
    (SELECT coalesce(json_agg(e ORDER BY e.id), '[]') FROM (
      SELECT ${DECISION} FROM decision d WHERE d.message_id = m.id) e)
      AS decisions, ${CLAIM} AS held
  FROM message m CROSS JOIN (SELECT $3::text AS subject) s WHERE m.id = $2`;

export async function itemRow(
  sql: Sql,
  readsTexts: boolean,
  id: number,
  { subject, sealed }: { subject: string; sealed: boolean },
): Promise<ItemRow | undefined> {
  const values = [readsTexts, id, subject, sealed];
  return (await sql.query<ItemRow>(ITEM, values))[0];
}

/** SQL: as its board's latest mirrored log has it; `seen_as` counts hiding here. */
export const mirroredMessage = (board: string, id: string) => `(
  SELECT mm.*, CASE WHEN mm.status = 'removed' THEN mm.removal_index END
      AS removed_by, CASE WHEN mm.hidden_at IS NULL THEN mm.visibility
      ELSE 'hidden_by_decision' END AS seen_as
  FROM log_state l JOIN mirror_message mm ON mm.origin_id = l.origin_id
    AND mm.id = ${id} AND mm.status <> 'invalid'
  WHERE l.board = ${board} AND l.origin_id > 0
  ORDER BY l.origin_id DESC LIMIT 1)`;

const MIRRORED_ITEM = `SELECT m.id, m.reply_to, m.author, m.title, m.body,
    m.created_at, m.removed_by, NULL AS erased_by, m.seen_as AS visibility,
    m.root_id, m.room, 0 AS score, m.request_id, m.agent_id, m.key_seq,
    m.message_hash, m.log_index, (SELECT k.status FROM agent_key k
      WHERE k.origin_id = m.origin_id AND k.agent_id = m.agent_id)
      AS key_status, '[]'::json AS votes, '[]'::json AS decisions,
    (SELECT coalesce(json_agg(r), '[]') FROM (SELECT ${REPORT}
      FROM report p WHERE p.board = $2 AND p.mirrored_id = $3
      ORDER BY p.created_at DESC LIMIT 500) r) AS reports,
    NULL AS poll, NULL AS sealed, ${CLAIM} AS held
  FROM ${mirroredMessage('$2::text', '$3::bigint')} m
    CROSS JOIN (SELECT $4::text AS subject) s
  WHERE EXISTS (SELECT FROM report p
    WHERE p.board = $2 AND p.mirrored_id = $3)`;

/** Of a mirrored message that was reported. */
export async function mirroredItemRow(
  sql: Sql,
  readsTexts: boolean,
  { board, mirroredId }: { board: string; mirroredId: number },
  subject: string,
): Promise<ItemRow | undefined> {
  const values = [readsTexts, board, mirroredId, subject];
  return (await sql.query<ItemRow>(MIRRORED_ITEM, values))[0];
}

/** Root, parent, and three messages on either side. */
export async function contextOf(
  sql: Sql,
  { root_id, id, reply_to }: ItemRow,
): Promise<MessageRow[]> {
  return await sql.query<MessageRow>(
    `SELECT ${MESSAGE} FROM message m WHERE m.id IN (
       SELECT unnest(ARRAY[$1::bigint, $3]) UNION ALL
       (SELECT id FROM message WHERE root_id = $1 AND id < $2
         ORDER BY id DESC LIMIT 3) UNION ALL
       (SELECT id FROM message WHERE root_id = $1 AND id > $2
         ORDER BY id LIMIT 3))
     AND m.id <> $2 ORDER BY m.id`,
    [root_id, id, reply_to],
  );
}

/** Those that cosigned a log with this decision. */
export async function mirrorsOf(
  sql: Sql,
  decisionId: number,
): Promise<Mirror[]> {
  return await sql.query<Mirror>(
    `SELECT p.name AS board, p.status, p.acked_size, p.acked_at,
       CASE WHEN d.generation = s.generation THEN p.acked_size > d.log_index
         ELSE EXISTS (SELECT FROM log_state f JOIN log_cosignature k
             ON k.origin_id = f.origin_id AND k.cosigner = p.name || '/mirror'
           WHERE f.closed_at IS NOT NULL AND f.generation = d.generation
             AND k.size > d.log_index) END AS acknowledged
     FROM peer p JOIN decision d ON d.id = $1
       JOIN log_state s ON s.origin_id = 0
     WHERE p.status NOT IN ('blocked', 'pending') ORDER BY p.name`,
    [decisionId],
  );
}
