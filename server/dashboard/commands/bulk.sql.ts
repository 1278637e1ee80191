// By hand: counts beside each bulk, and inserts of many subjects.
import { In } from 'typeorm';
import { type Bulk, BulkItem } from '../../db/entities/bulk.js';
import type { Sql, Tx } from '../../db/sql.js';
import { OPEN_REPORTS } from '../../db/states.js';
import type { Actor } from '../audit.js';
import type { Role } from '../roles.js';
import type { BulksInput } from './bulk.js';

export type CountedBulk = Omit<Bulk, 'id'> &
  Record<'total' | 'waiting' | 'done' | 'refused', number> & {
    bulk: string;
    /** What it hid was hidden by ratings. */
    stays_hidden: boolean;
    /** The last one that undoes it. */
    undone_by: string | null;
  };

/** Of `bulk b`, or a selection under that name. */
const counted = (
  bulks: string,
) => `SELECT b.id AS bulk, b.operator_id AS "operatorId", b.operator,
    b.action, b.reason, b.outcome, b.explanation,
    b.private_note AS "privateNote", b.answer,
    b.settle_reports AS "settleReports", b.action = 'hide' AND coalesce((
      SELECT bool_and(d.stays_hidden) FROM bulk_item i
        JOIN decision d ON d.id = i.decision_id WHERE i.bulk_id = b.id), false)
      AS stays_hidden,
    b.undoes, b.created_at AS "createdAt", b.cancelled_at AS "cancelledAt",
    (SELECT u.id FROM bulk u WHERE u.undoes = b.id
      ORDER BY u.created_at DESC LIMIT 1) AS undone_by, c.*
  FROM ${bulks} b CROSS JOIN LATERAL (SELECT count(*) AS total,
      count(*) FILTER (WHERE i.state = 'waiting') AS waiting,
      count(*) FILTER (WHERE i.state = 'done') AS done,
      count(*) FILTER (WHERE i.state = 'refused') AS refused
    FROM bulk_item i WHERE i.bulk_id = b.id) c`;

export async function countedBulk(
  sql: Sql,
  bulk: string,
): Promise<CountedBulk | undefined> {
  const text = `${counted('bulk')} WHERE b.id = $1`;
  return (await sql.query<CountedBulk>(text, [bulk]))[0];
}

/** Counts only the items of shown bulks. */
const LISTED = `${counted(`(SELECT * FROM bulk
    WHERE (NOT $1::boolean OR operator_id IS NOT DISTINCT FROM $2::uuid)
      AND (NOT $3::boolean OR (cancelled_at IS NULL AND EXISTS (
        SELECT FROM bulk_item i WHERE i.bulk_id = bulk.id
          AND i.state = 'waiting')))
      AND ($4::bigint IS NULL OR (created_at, id) < ($4, $5::uuid))
    ORDER BY created_at DESC, id DESC LIMIT $6)`)}
  ORDER BY b.created_at DESC, b.id DESC`;

/** Newest first, and one more than `limit`. */
export async function bulkPage(
  sql: Sql,
  operatorId: string | null,
  { mine, open, after, limit }: BulksInput,
): Promise<CountedBulk[]> {
  return await sql.query<CountedBulk>(LISTED, [
    ...[mine ?? false, operatorId, open ?? false],
    ...[after?.at ?? null, after?.bulk ?? null, limit + 1],
  ]);
}

const ADD = `INSERT INTO bulk_item (bulk_id, n, subject, message_id, seen)
  SELECT $1, (SELECT coalesce(max(n), 0) FROM bulk_item WHERE bulk_id = $1)
      + row_number() OVER (), s.subject,
    CASE split_part(s.subject, ':', 1)
      WHEN 'message' THEN split_part(s.subject, ':', 2)::bigint
      WHEN 'poll' THEN (SELECT p.root_id FROM poll p
        WHERE p.id = split_part(s.subject, ':', 2)::bigint)
      ELSE (SELECT c.message_id FROM selection_card c WHERE
        'card:' || c.selection_id || '-' || c.n = s.subject) END, s.seen
  FROM unnest($2::text[], $3::bigint[]) AS s (subject, seen)
  ON CONFLICT DO NOTHING`;

/** Repeated subjects, or messages, stay once. */
export async function addItems(
  tx: Tx,
  bulk: string,
  items: readonly { subject: string; seen: number | null }[],
): Promise<void> {
  const subjects = items.map(({ subject }) => subject);
  await tx.query(ADD, [bulk, subjects, items.map(({ seen }) => seen)]);
}

/** With what another bulk decided. */
export async function addDecided(
  tx: Tx,
  bulk: string,
  undoes: string,
): Promise<void> {
  await tx.query(
    `INSERT INTO bulk_item (bulk_id, n, subject, message_id, seen, supersedes)
     SELECT $1, n, subject, message_id, decision_id, decision_id
     FROM bulk_item WHERE bulk_id = $2 AND state = 'done'
     ON CONFLICT DO NOTHING`,
    [bulk, undoes],
  );
}

export type WaitingItem = {
  n: number;
  subject: string;
  message_id: number | null;
  seen: number | null;
  supersedes: number | null;
  /** Open when the bulk began. */
  report_ids: string[];
};

const WAITING = `SELECT i.n, i.subject, i.message_id, i.seen, i.supersedes,
    CASE WHEN b.settle_reports THEN ARRAY(
      SELECT p.request_id FROM report p
      WHERE p.message_id = i.message_id AND p.status = ANY($3::text[])
        AND p.created_at <= b.created_at
      UNION ALL
      SELECT p.request_id FROM selection_card c
        JOIN report p ON p.card_id = c.selection_id || '-' || c.n
      WHERE c.message_id = i.message_id AND p.status = ANY($3::text[])
        AND p.created_at <= b.created_at LIMIT 1000) ELSE '{}' END AS report_ids
  FROM bulk_item i JOIN bulk b ON b.id = i.bulk_id
  WHERE i.bulk_id = $1 AND i.n = ANY($2::integer[]) AND i.state = 'waiting'
    AND b.cancelled_at IS NULL
    AND ($4::uuid IS NULL OR EXISTS (SELECT FROM operator_session s
      JOIN operator o ON o.id = s.operator_id
      WHERE s.id = $4 AND o.state = 'active' AND o.role = ANY($5::text[])))
  ORDER BY i.n`;

/**
 * Under the head lock: still to be decided, and the operator's session, account
 * and role (one of `roles`) still allow it.
 */
export async function waitingItems(
  tx: Tx,
  bulk: string,
  ns: readonly number[],
  { sessionId }: Pick<Actor, 'sessionId'>,
  roles: readonly Role[],
): Promise<WaitingItem[]> {
  const values = [bulk, ns, OPEN_REPORTS, sessionId, roles];
  return await tx.query<WaitingItem>(WAITING, values);
}

const NEWEST_DECISION = `(SELECT max(d.id) FROM decision d
  WHERE d.message_id = bulk_item.message_id)`;

export async function itemsDone(
  tx: Tx,
  bulkId: string,
  ns: readonly number[],
): Promise<void> {
  if (ns.length === 0) return;
  await tx.manager.update(
    BulkItem,
    { bulkId, n: In(ns) },
    { state: 'done', decisionId: () => NEWEST_DECISION },
  );
}
