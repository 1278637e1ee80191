import { POLL_NOTIFICATIONS } from '../db/notifications.js';
import type { Tx } from '../db/sql.js';
import type { StoredDecision } from './poll-row.js';
import type { PollResult } from './tally.js';

/** What the events of spec/board.md §6.4 keep; texts stay with the poll. */
export type PollEventData = {
  opened: { closes_at: number };
  vote_accepted: { option: number; counts: number[]; voters: number };
  lifetime_extended: { from: number; to: number };
  closed: { result: PollResult; winner: number | null; counts: number[] };
  decision_recorded: { outcome: StoredDecision['outcome'] };
  voided: { counts: number[] };
};

export type PollEventKind = keyof PollEventData;

/**
 * Takes the lock that orders everything that happens to polls. It comes
 * before any poll's own row: a batch of the ledger may hold it already when
 * its next job closes a poll, and must not wait for a ballot that waits for
 * it. Under it the budgets of ballots, board-wide ones too, are exact.
 */
export async function lockPollEvents(tx: Tx): Promise<void> {
  await tx.query("SELECT 1 FROM stream WHERE name = 'poll_events' FOR UPDATE");
}

/**
 * Appends an event. Its id is the next one under the stream's lock, which is
 * held to the end of the transaction: ids ascend in commit order, without
 * gaps, and no reader's cursor can pass one that commits late.
 *
 * @param now the clock in ms; an event is never dated before the last one.
 */
export async function recordPollEvent<Kind extends PollEventKind>(
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
     )
     SELECT pg_notify('${POLL_NOTIFICATIONS}', '')`,
    [now, pollId, kind, JSON.stringify(data)],
  );
}
