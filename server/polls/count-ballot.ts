import type { Context } from '../context.js';
import { blockedLimit, rateLimited } from '../db/budgets.js';
import { onceMore } from '../db/retry-lost-connection.js';
import type { Tx } from '../db/sql.js';
import { BoardError } from '../errors.js';
import type { CounterKeys } from '../http/rate-limits/network-keys.js';
import { spendBudgets } from '../http/rate-limits/take-budgets.js';
import { challengeLocked } from '../tickets/answer-lock.js';
import type { CastBallot } from './answers.js';
import { ballotChecks, ballotSpends } from './ballot-budgets.js';
import {
  acceptedBallot,
  type BallotTicket,
  ballotAnswer,
  ballotFacts,
} from './ballot-facts.js';
import { lockPollEvents, recordPollEvent } from './poll-events.js';
import { isOpen } from './poll-view.js';

type BallotResult = { status: 200 | 201; answer: CastBallot };

/**
 * Counts a ballot in a transaction of its own, also where the connection dies
 * under it: the ballot that this request cast is then found and told as the
 * first time (spec/board.md §5.6).
 */
export async function countOnce(
  ctx: Context,
  ticket: BallotTicket,
  counters: CounterKeys,
): Promise<BallotResult> {
  let castAt: number | null = null;
  return await onceMore((lost) =>
    ctx.writes.transaction(async (tx) => {
      const result = await countBallot(ctx, tx, ticket, counters, (at) => {
        castAt = at;
      });
      if (!lost || castAt === null || result.status === 201) return result;
      const ours = await tx.query(
        'SELECT 1 FROM ticket WHERE ticket_hash = $1 AND used_at = $2',
        [ticket.hash, castAt],
      );
      if (ours.length === 0) return result;
      return { status: 201, answer: { ...result.answer, status: 'published' } };
    }),
  );
}

/**
 * Counts a ballot, under the lock that orders all poll events and with the
 * clock read after it: closing, other ballots and their budgets are decided
 * before or after this one, never beside it (spec/operators.md §R7.2).
 */
async function countBallot(
  ctx: Context,
  tx: Tx,
  ticket: BallotTicket,
  counters: CounterKeys,
  onCast: (at: number) => void,
): Promise<BallotResult> {
  await lockPollEvents(tx);
  const now = ctx.clock.now();
  const checks = ballotChecks(counters);
  const facts = await ballotFacts(ctx, tx, ticket, checks, now);
  const accepted = acceptedBallot(ctx, facts, ticket, now);
  if (accepted !== null) return { status: 200, answer: accepted };
  const { poll, lock } = facts;
  if (lock.until > now) throw challengeLocked(lock.until, now);
  if (!isOpen(poll, now)) throw pollClosed();
  const blocked = blockedLimit(checks, facts.blocked, now);
  if (blocked !== null) throw rateLimited(blocked);

  onCast(now);
  const { option } = ticket.draft;
  const tally = await insertBallot(tx, ticket, now);
  const event = { option, ...tally };
  await recordPollEvent(tx, poll.id, 'vote_accepted', event, now);
  await spendBudgets(tx, ballotSpends(counters), now);
  const counted = { ...poll, ...tally };
  const answer = ballotAnswer(ctx, counted, option, 'published', now);
  return { status: 201, answer };
}

async function insertBallot(
  tx: Tx,
  { hash, requestId, draft }: BallotTicket,
  now: number,
): Promise<{ counts: number[]; voters: number }> {
  const [tally] = await tx.query<{ counts: number[]; voters: number }>(
    `WITH counted AS (
       INSERT INTO ballot (poll_id, voter, choice, request_id, at)
       VALUES ($1, $2, $3, $4, $5)
     ), used AS (
       UPDATE ticket SET used_at = $5 WHERE ticket_hash = $6
     )
     UPDATE poll SET counts[$3::int + 1] = counts[$3::int + 1] + 1,
       voters = voters + 1
     WHERE id = $1 RETURNING counts, voters`,
    [
      draft.pollId,
      Buffer.from(draft.voter, 'hex'),
      draft.option,
      requestId,
      now,
      hash,
    ],
  );
  if (tally === undefined) throw new Error('a poll that exists was not found');
  return tally;
}

function pollClosed(): BoardError {
  return new BoardError(
    'poll_closed',
    'This poll is closed and takes no more ballots; read its result instead.',
  );
}
