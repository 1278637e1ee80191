// By hand (W1): several tables read by key in one statement.

import type { Room } from '../../protocol/room.js';
import { DAY_MS } from '../clock.js';
import {
  type BudgetCheck,
  checkColumns,
  type TakenRow,
  windowEnd,
} from '../db/budgets.js';
import { takenWith } from '../db/budgets.sql.js';
import type { Message } from '../db/entities/message.js';
import type { ChallengeLock, WriteRequest } from '../db/entities/ticket.js';
import { type Attempt, attemptValues } from '../db/grouped.js';
import { arraysOf, type Sql, type Tx } from '../db/sql.js';
import type { KeyState } from '../ledger/key-state.js';
import { ownLogOf } from '../ledger/own-log.sql.js';
import type { Limits } from '../limits.js';
import { lockScope, TICKET_COLUMNS, type TicketRow } from '../tickets/index.js';
import type { Draft } from './draft.js';
import type { AcceptedWrite } from './preview-facts.js';
import type { WriteTicket } from './publish-facts.js';
import type { Submission } from './submission.js';

export type TicketLookupRow = TicketRow<Draft> &
  TakenRow & {
    accepted_hash: WriteRequest['contentHash'] | null;
    receipt: WriteRequest['receipt'];
    wrong: ChallengeLock['wrong'] | null;
    locked_until: ChallengeLock['lockedUntil'];
    elsewhere: boolean | null;
  };

export type TicketAsked = { hash: Buffer };

/** With all that is decided before the lock. */
export async function lookUpTickets(
  sql: Sql,
  group: readonly (Attempt & TicketAsked)[],
): Promise<TicketLookupRow[]> {
  // By hash first: a plan made for an empty table would walk the index of
  // `kind`.
  return await sql.query<TicketLookupRow>(
    `WITH ${takenWith({ hash: 'bytea' })}
     SELECT taken.blocked, taken.used, taken.oldest, f.*
     FROM taken
     LEFT JOIN LATERAL (
       SELECT ${TICKET_COLUMNS}, w.content_hash AS accepted_hash, w.receipt,
         l.wrong, l.locked_until,
         EXISTS (SELECT FROM relay_outbox o WHERE o.request_id = k.request_id
           AND o.state <> 'failed') AS elsewhere
       FROM (SELECT * FROM ticket WHERE ticket_hash = taken.hash OFFSET 0) k
       LEFT JOIN write_request w ON w.request_id = k.request_id
       LEFT JOIN challenge_lock l ON l.scope =
         sha256(convert_to('request ' || k.request_id::text, 'UTF8'))
       WHERE k.kind = 'write' OFFSET 0) f ON true
     ORDER BY taken.ord`,
    [...attemptValues(group), ...arraysOf(group, 'hash')],
  );
}

export type PreviewRow = TakenRow &
  Omit<AcceptedWrite, 'contentHash' | 'statement'> & {
    /** Null without an accepted message. */
    contentHash: Buffer | null;
    leaf: Buffer;
    t_id: number | null;
    t_root: number;
    t_room: Room;
    t_removed: number | null;
    t_hash: Buffer;
    t_secret: Buffer;
    noted: boolean;
    /** A message of the day before with the same body. */
    same_id: number | null;
    same_root: number;
    locked_until: ChallengeLock['lockedUntil'];
  };

export type PreviewAsked = Pick<Submission, 'requestId' | 'replyTo'> & {
  agentId: string | null;
  /** Null: nothing to say about the name. */
  nameKey: Buffer | null;
  /** Null: no matter who said the same. */
  text: { key: Buffer; body: string } | null;
};

const ASKED = {
  request_id: 'uuid',
  target: 'bigint',
  agent_id: 'text',
  name_key: 'bytea',
  claims_since: 'bigint',
  text_key: 'bytea',
  body: 'text',
  day_since: 'bigint',
};

/** Looked through for the same text: others differ in case or blanks. */
const ALIKE = 200;

export async function lookUpPreviews(
  sql: Sql,
  group: readonly (Attempt & PreviewAsked)[],
): Promise<PreviewRow[]> {
  // Lateral lookups by key: no plan may read a whole table.
  return await sql.query<PreviewRow>(
    `WITH ${takenWith(ASKED)}
     SELECT taken.blocked, taken.used, taken.oldest, w.*, t.*,
       ${claimedBefore('taken')} AS noted, same.*,
       (SELECT l.locked_until FROM challenge_lock l WHERE l.scope =
         sha256(convert_to('request ' || taken.request_id::text, 'UTF8')))
         AS locked_until
     FROM taken
     LEFT JOIN LATERAL (
       SELECT r.content_hash AS "contentHash", r.receipt, m.root_id AS "rootId",
         m.reply_to AS "replyTo", m.room, m.message_hash AS "messageHash",
         m.salt, e.leaf
       FROM write_request r
       LEFT JOIN message m ON m.id = r.message_id
       LEFT JOIN log_entry e ON e.origin_id = ${ownLogOf('m.id')}
         AND e.idx = m.log_index
       WHERE r.request_id = taken.request_id OFFSET 0) w ON true
     LEFT JOIN LATERAL (
       SELECT id AS t_id, root_id AS t_root, room AS t_room,
         removed_at AS t_removed, message_hash AS t_hash,
         vote_secret AS t_secret
       FROM message WHERE id = taken.target OFFSET 0) t ON true
     LEFT JOIN LATERAL (
       SELECT id AS same_id, root_id AS same_root FROM (
         SELECT id, root_id, body, created_at, request_id FROM message
         WHERE text_key = taken.text_key
         ORDER BY text_key DESC, id DESC LIMIT ${ALIKE}) alike
       WHERE body = taken.body AND created_at > taken.day_since
         AND request_id <> taken.request_id
       ORDER BY id DESC LIMIT 1) same ON true
     ${ownClaim('taken')}
     ORDER BY taken.ord`,
    [
      ...attemptValues(group),
      ...arraysOf(group, 'requestId', 'replyTo', 'agentId', 'nameKey'),
      group.map(({ now }) => sinceOf(now)),
      group.map(({ text }) => text?.key ?? null),
      group.map(({ text }) => text?.body ?? null),
      group.map(({ now }) => now - DAY_MS),
    ],
  );
}

export type PublishRow = {
  content_hash: Buffer | null;
  receipt: string;
  locked_until: number | null;
  target_id: number | null;
  removed_at: number | null;
  vote_secret: Buffer;
  key_status: KeyState['status'] | null;
  key_seq: number;
  /** In the first row, for all. */
  blocked: (number | null)[] | null;
  room: number[] | null;
};

/** For a batch under the head lock; most publications share limits. */
export async function readForPublish(
  tx: Tx,
  tickets: readonly WriteTicket[],
  checks: readonly BudgetCheck[],
  limits: Limits,
  now: number,
): Promise<PublishRow[]> {
  // Lateral lookups by key: no plan may read a whole table.
  return await tx.query<PublishRow>(
    `SELECT w.*, l.*, t.*, a.*,
       CASE WHEN q.ord = 1 THEN s.blocked END AS blocked,
       CASE WHEN q.ord = 1 THEN s.room END AS room
     FROM unnest($7::uuid[], $8::bytea[], $9::bigint[], $10::text[])
       WITH ORDINALITY AS q (request_id, scope, target, agent, ord)
     CROSS JOIN (
       SELECT array_agg(budget_blocked_by(c.scope, c.today, c.old, c.bound,
           c.since, $6) ORDER BY c.ord) AS blocked,
         array_agg(c.bound - coalesce((SELECT sum(h.total)::bigint
           FROM budget_head h WHERE h.scope = c.scope
             AND (h.key = c.today OR h.key = c.old)), 0) ORDER BY c.ord) AS room
       FROM unnest($1::text[], $2::bytea[], $3::bytea[], $4::bigint[],
         $5::bigint[]) WITH ORDINALITY
         AS c (scope, today, old, bound, since, ord)
       OFFSET 0) s
     LEFT JOIN LATERAL (SELECT content_hash, receipt FROM write_request
       WHERE request_id = q.request_id OFFSET 0) w ON true
     LEFT JOIN LATERAL (SELECT locked_until FROM challenge_lock
       WHERE scope = q.scope OFFSET 0) l ON true
     LEFT JOIN LATERAL (SELECT id AS target_id, removed_at, vote_secret
       FROM message WHERE id = q.target OFFSET 0) t ON true
     LEFT JOIN LATERAL (SELECT status AS key_status, key_seq FROM agent_key
       WHERE origin_id = 0 AND agent_id = q.agent OFFSET 0) a ON true
     ORDER BY q.ord`,
    [
      ...checkColumns(checks, limits, now),
      windowEnd(now),
      tickets.map(({ requestId }) => requestId),
      tickets.map(({ requestId }) => lockScope({ requestId })),
      tickets.map(({ draft }) => draft.replyTo),
      tickets.map(({ draft }) => draft.submitted.agentId),
    ],
  );
}

export type FunnelRow = Pick<Message, 'id' | 'room' | 'messageHash'>;

/** Unarchived roots; only bodies with `word` are folded. */
export async function newestFunnelTarget(
  sql: Sql,
  phrase: string,
  word: string,
  whiteSpace: string,
): Promise<FunnelRow | null> {
  const [row] = await sql.query<FunnelRow>(
    `SELECT m.id, m.room, m.message_hash AS "messageHash"
     FROM message_search s JOIN LATERAL (SELECT * FROM message
       WHERE id = s.message_id LIMIT 1) m ON true
     WHERE m.reply_to IS NULL AND m.removed_at IS NULL
       AND position($2 IN s.body_fold) > 0
       AND position($1 IN regexp_replace(s.body_fold, $3, ' ', 'g')) > 0
     ORDER BY s.message_id LIMIT 1`,
    [phrase, word, whiteSpace],
  );
  return row ?? null;
}

/** A name belongs to the key that used it for so long (§16.20). */
const CLAIM_MS = 30 * DAY_MS;

/** Earlier uses do not count. */
export const sinceOf = (at: number) => at - CLAIM_MS;

/** Signed, without an earlier claim of the name. */
const CLAIMS = `SELECT c.name_key AS claim_name, c.agent_id AS claim_agent,
    c.created_at AS claim_at, c.id AS claim_id FROM message c
  WHERE c.agent_id IS NOT NULL AND NOT c.look_alike`;
const NEVER = '9223372036854775807';

// Ordered by one index: otherwise the planner walks a busy author's messages by
// time.

/** Where the row's key first claimed its name, or null. */
export const ownClaim = (row: string) =>
  `LEFT JOIN LATERAL (${CLAIMS}
      AND (c.name_key, c.agent_id) >= (${row}.name_key, ${row}.agent_id)
    ORDER BY c.name_key, c.agent_id, c.created_at, c.id LIMIT 1) own
    ON own.claim_name = ${row}.name_key AND own.claim_agent = ${row}.agent_id`;

/** Another key claimed the name since `claims_since`, before `own`. */
export const claimedBefore = (row: string) =>
  `EXISTS (SELECT FROM (${CLAIMS} AND (c.name_key, c.created_at, c.id) <
        (${row}.name_key, coalesce(own.claim_at, ${NEVER}),
          coalesce(own.claim_id, ${NEVER}))
      ORDER BY c.name_key DESC, c.created_at DESC, c.id DESC LIMIT 1) last
    WHERE last.claim_name = ${row}.name_key
      AND last.claim_at > ${row}.claims_since)`;
