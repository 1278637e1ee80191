import type { Context } from '../context.js';
import {
  blockedLimit,
  type CounterKeys,
  counterChecks,
  rateLimited,
} from '../db/budgets.js';
import { spendBudgets } from '../db/budgets.sql.js';
import { Ballot } from '../db/entities/poll.js';
import { retryLostConnection, type Tx } from '../db/sql.js';
import { BoardError, unavailable } from '../errors.js';
import { challengeLocked } from '../tickets/index.js';
import type { CastBallot } from './answers.js';
import {
  acceptedBallot,
  type BallotTicket,
  ballotAnswer,
  ballotFacts,
  ballotSpends,
} from './ballot-facts.js';
import { lockPollEvents, recordPollEvent } from './poll-events.sql.js';
import { isOpen } from './poll-view.js';
import { insertBallot } from './polls.sql.js';

type BallotResult = { status: 200 | 201; answer: CastBallot };

type BallotContext = Pick<Context, 'writes' | 'clock' | 'limits'>;

/**
 * Retries on a lost connection: a ballot that was already cast is answered as
 * new (spec/board.md §5.6).
 * @param counters who pays; null where the node itself casts it
 */
export async function countOnce(
  ctx: BallotContext,
  pollId: number,
  ticket: BallotTicket,
  counters: CounterKeys | null,
): Promise<BallotResult> {
  let castAt: number | null = null;
  return await retryLostConnection((lost) =>
    ctx.writes.transaction(async (tx) => {
      const note = (at: number) => {
        castAt = at;
      };
      const result = await countBallot(ctx, tx, pollId, ticket, counters, note);
      if (!lost || castAt === null || result.status === 201) return result;
      const ours = { pollId, voter: ticket.voter, at: castAt };
      if (!(await tx.manager.existsBy(Ballot, ours))) return result;
      return { status: 201, answer: { ...result.answer, status: 'published' } };
    }),
  );
}

/** By the clock read after the lock (spec/operators.md §R7.2). */
async function countBallot(
  ctx: BallotContext,
  tx: Tx,
  pollId: number,
  ticket: BallotTicket,
  counters: CounterKeys | null,
  onCast: (at: number) => void,
): Promise<BallotResult> {
  await lockPollEvents(tx);
  const now = ctx.clock.now();
  const checks = counters === null ? [] : counterChecks('ballot', counters);
  const poll = await ballotFacts(ctx, tx, pollId, ticket, checks, now);
  const accepted = acceptedBallot(ctx, poll, ticket, now);
  if (accepted !== null) return { status: 200, answer: accepted };
  const lockedUntil = poll.lock.until;
  if (lockedUntil > now) throw challengeLocked(lockedUntil, now);
  if (!isOpen(poll, now)) {
    const closed =
      'This poll is closed and takes no more ballots; read its result instead.';
    throw new BoardError('poll_closed', closed);
  }
  const blocked = blockedLimit(checks, poll.blocked, now);
  if (blocked !== null) throw rateLimited(blocked);

  onCast(now);
  const { option } = ticket.choice;
  const tally = await insertBallot(tx, pollId, ticket, now);
  const event = { option, ...tally };
  await recordPollEvent(tx, poll.id, 'vote_accepted', event, now);
  if (counters !== null) await spendBudgets(tx, ballotSpends(counters), now);
  const counted = { ...poll, ...tally };
  const answer = ballotAnswer(ctx, counted, option, 'published', now);
  return { status: 201, answer };
}

const LONGEST_WAIT_MS = 2000;
const RETRY_SECONDS = 2;

/** Ballots meet at one lock anyway: here they wait without a connection. */
export class BallotQueue {
  private last: Promise<unknown> = Promise.resolve();
  private readonly longestWaitMs: number;

  /** @param timeoutFactor multiplies the wait */
  constructor(timeoutFactor: number) {
    this.longestWaitMs = LONGEST_WAIT_MS * timeoutFactor;
  }

  /** @throws BoardError `unavailable` when the wait was too long. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const since = performance.now();
    const turn = this.last.then(() => {
      if (performance.now() - since > this.longestWaitMs) {
        throw unavailable(
          'The board has too many ballots waiting; send the same ticket again in a few seconds, nothing is counted twice.',
          RETRY_SECONDS,
        );
      }
      return work();
    });
    this.last = turn.catch(() => undefined);
    return await turn;
  }
}
