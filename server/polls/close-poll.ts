import type { PollResult as LoggedResult } from '../../protocol/entry.js';
import type { Tx } from '../db/sql.js';
import type { Turn } from '../ledger/append-context.js';
import { lockPollEvents, recordPollEvent } from './poll-events.js';
import { type Outcome, outcomeOf } from './tally.js';

type Due = {
  id: number;
  root_id: number;
  counts: number[];
  voters: number;
  closes_at: number;
  closed_at: number | null;
};

/**
 * Ends a poll whose deadline has passed: the log's `poll` entry, the one
 * closing event, the recorded outcome. False when it is not due or has ended
 * already, so that closers may run at the same time (spec/operators.md §R5.1
 * I8).
 */
export async function closePoll(
  turn: Turn,
  pollId: number,
  votesMin: number,
): Promise<boolean> {
  const poll = await runningPoll(turn.tx, 'id', pollId);
  if (poll === null) return false;
  if (turn.now < poll.closes_at) return false;
  await endAtDeadline(turn, poll, votesMin);
  return true;
}

/**
 * Ends the poll of a topic that the same turn removes, as `topic_removed` and
 * without a result (spec/board.md §6.6). One that ended at its deadline before
 * keeps that end, recorded or not. False when there is nothing to end.
 *
 * Emit the hint `polls` after the commit when it is true.
 */
export async function voidPoll(
  turn: Turn,
  rootId: number,
  votesMin: number,
): Promise<boolean> {
  const poll = await runningPoll(turn.tx, 'root_id', rootId);
  if (poll === null) return false;
  if (turn.now >= poll.closes_at) {
    await endAtDeadline(turn, poll, votesMin);
    return true;
  }
  logEnd(turn, poll, 'voided', null);
  await recordEnd(turn, poll.id, 'topic_removed', null);
  const { counts } = poll;
  await recordPollEvent(turn.tx, poll.id, 'voided', { counts }, turn.now);
  return true;
}

/** The poll, locked, unless it has ended already or there is none. */
async function runningPoll(
  tx: Tx,
  column: 'id' | 'root_id',
  value: number,
): Promise<Due | null> {
  await lockPollEvents(tx);
  const [poll] = await tx.query<Due>(
    `SELECT id, root_id, counts, voters, closes_at, closed_at FROM poll
     WHERE ${column} = $1 FOR UPDATE`,
    [value],
  );
  return poll === undefined || poll.closed_at !== null ? null : poll;
}

async function endAtDeadline(
  turn: Turn,
  poll: Due,
  votesMin: number,
): Promise<void> {
  const { id, counts, voters } = poll;
  const outcome = outcomeOf(counts, voters, votesMin);
  logEnd(turn, poll, outcome.result, outcome.winner);
  await recordEnd(turn, id, 'deadline', outcome);
  await recordPollEvent(
    turn.tx,
    id,
    'closed',
    { ...outcome, counts },
    turn.now,
  );
}

function logEnd(
  turn: Turn,
  { id, root_id, counts, voters }: Due,
  result: LoggedResult,
  winner: number | null,
): void {
  turn.append(
    {
      type: 'poll',
      at: turn.at,
      id: root_id,
      poll: id,
      counts,
      voters,
      result,
      winner,
    },
    { messageId: root_id },
  );
}

async function recordEnd(
  { tx, at }: { tx: Tx; at: number },
  pollId: number,
  reason: 'deadline' | 'topic_removed',
  outcome: Outcome | null,
): Promise<void> {
  await tx.query(
    `UPDATE poll SET closed_at = $2, close_reason = $3, result = $4,
       winner = $5 WHERE id = $1`,
    [pollId, at, reason, outcome?.result ?? null, outcome?.winner ?? null],
  );
}
