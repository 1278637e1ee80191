// By hand: event, number and notification in one statement.

import { Stream } from '../db/entities/counter.js';
import { Message } from '../db/entities/message.js';
import { Poll, PollEvent } from '../db/entities/poll.js';
import { eventRows } from '../db/note-event.js';
import { POLL_NOTIFICATIONS } from '../db/notifications.js';
import type { Sql, Tx } from '../db/sql.js';
import type { TallyResult } from '../db/states.js';
import type { StoredDecision } from './polls.sql.js';

const NOTED = eventRows(
  'poll',
  { poll_id: '$2::bigint', event_id: 'last_id', event: '$3::text' },
  'head',
);

/** spec/board.md §6.4; texts stay with the poll. */
type PollEventData = {
  opened: { closes_at: number };
  vote_accepted: { option: number; counts: number[]; voters: number };
  lifetime_extended: { from: number; to: number };
  closed: { result: TallyResult; winner: number | null; counts: number[] };
  decision_recorded: { outcome: StoredDecision['outcome'] };
  voided: { counts: number[] };
};

/**
 * Orders all poll changes. Take it before any poll's row: a batch of the ledger
 * may already have it and must not wait for a ballot. Under it, ballot budgets
 * are exact.
 */
export async function lockPollEvents(tx: Tx): Promise<void> {
  await tx.manager.findOne(Stream, {
    where: { name: 'poll_events' },
    lock: { mode: 'pessimistic_write' },
  });
}

/**
 * The stream's lock lasts to the end of the transaction: ids ascend in commit
 * order without gaps, so no cursor misses one.
 * @param now in ms; an event is never dated before the last one
 */
export async function recordPollEvent<Kind extends keyof PollEventData>(
  tx: Tx,
  pollId: number,
  kind: Kind,
  data: PollEventData[Kind],
  now: number,
): Promise<void> {
  await tx.query(
    `WITH head AS (
       UPDATE stream SET last_id = last_id + 1,
         last_at = greatest(last_at, $1)
       WHERE name = 'poll_events' RETURNING last_id, last_at
     ), event AS (
       INSERT INTO poll_event (id, poll_id, kind, created_at, data)
       SELECT last_id, $2, $3, last_at, $4 FROM head
     ), noted AS (
       INSERT INTO admin_pending (kind, payload)
       ${NOTED}
     )
     SELECT pg_notify('${POLL_NOTIFICATIONS}', '')`,
    [now, pollId, kind, JSON.stringify(data)],
  );
}

type Stored = {
  [Kind in keyof PollEventData]: { kind: Kind; data: PollEventData[Kind] };
}[keyof PollEventData];

export type PollEventRow = Stored & {
  id: number;
  poll_id: number;
  root_id: number;
  created_at: number;
  options: string[] | null;
};

export async function pollEvents(
  { manager }: Sql,
  since: number,
  limit: number,
  pollId?: number,
): Promise<PollEventRow[]> {
  const page = manager
    .createQueryBuilder(PollEvent, 'e')
    .innerJoin(Poll, 'poll', 'poll.id = e.pollId')
    .innerJoin(Message, 'topic', 'topic.id = poll.rootId')
    .select(['e.id AS id', 'e.pollId AS poll_id', 'poll.rootId AS root_id'])
    .addSelect(['e.kind AS kind', 'e.createdAt AS created_at'])
    .addSelect('e.data', 'data')
    .addSelect(
      'CASE WHEN topic.removedAt IS NULL THEN poll.options END',
      'options',
    )
    .where('e.id > :since', { since })
    .orderBy('e.id')
    .limit(limit);
  if (pollId !== undefined) page.andWhere('e.pollId = :pollId', { pollId });
  return await page.getRawMany<PollEventRow>();
}
