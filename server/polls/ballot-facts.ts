import type { Context } from '../context.js';
import {
  type BudgetCheck,
  boardKey,
  type CounterKeys,
  type Spend,
} from '../db/budgets.js';
import type { Sql } from '../db/sql.js';
import { BoardError } from '../errors.js';
import type { AnswerLock, VotingTicket } from '../tickets/index.js';
import type { CastBallot } from './answers.js';
import { tallyOf } from './poll-view.js';
import {
  type BallotRow,
  ballotsOf,
  type PollRow,
  readForBallot,
} from './polls.sql.js';

/** `option` is its place in the poll. */
export type BallotChoice = { option: number; requestId: string };

export type BallotTicket = VotingTicket<BallotChoice>;

/** Ballot tickets are for this path. */
export function ballotPath(pollId: number): string {
  return `/api/polls/${pollId}/votes`;
}

export type BallotFacts = BallotRow & { lock: AnswerLock };

/**
 * Read before the lock without checks, and under it with them.
 * @throws BoardError `poll_not_found`, also when the topic is removed
 */
export async function ballotFacts(
  { limits }: Pick<Context, 'limits'>,
  sql: Sql,
  pollId: number,
  ticket: BallotTicket,
  checks: readonly BudgetCheck[],
  now: number,
): Promise<BallotFacts> {
  const row = await readForBallot(sql, pollId, ticket, checks, limits, now);
  if (row === null || row.removed) throw noSuchPoll();
  const lock = { wrong: row.wrong ?? 0, until: row.locked_until ?? 0 };
  return { ...row, lock };
}

export function ballotAnswer(
  ctx: Pick<Context, 'limits'>,
  poll: PollRow,
  option: number,
  status: 'published' | 'already_voted',
  now: number,
): CastBallot {
  return {
    poll_id: poll.id,
    option: poll.options?.[option] ?? '',
    status,
    tally: tallyOf(poll, now, ctx.limits.survey_votes_min),
  };
}

/** `option` and `receipt` not of a removed topic. */
export async function ballotReceipts(
  ctx: Pick<Context, 'limits' | 'reads' | 'clock'>,
  requestId: string,
) {
  const rows = await ballotsOf(ctx.reads, requestId);
  const now = ctx.clock.now();
  return rows.map((row) => {
    if (row.removed) return { poll_id: row.id };
    const receipt = ballotAnswer(ctx, row, row.choice, 'published', now);
    return { poll_id: row.id, option: receipt.option, receipt };
  });
}

/**
 * An accepted ballot's answer: by `request_id`, then by network (spec/board.md
 * §6.2).
 * @throws BoardError `request_id_conflict`, `already_voted`.
 */
export function acceptedBallot(
  ctx: Pick<Context, 'limits'>,
  poll: BallotFacts,
  { choice: { option, requestId } }: BallotTicket,
  now: number,
): CastBallot | null {
  const { byRequest, byNetwork } = poll;
  const known = byRequest ?? byNetwork;
  if (known === null) return null;
  const answer = ballotAnswer(ctx, poll, known, 'already_voted', now);
  if (known === option) return answer;
  if (byRequest !== null) {
    throw new BoardError(
      'request_id_conflict',
      `request_id ${requestId} was accepted in this poll with another option; a ballot is final.`,
      { field: 'request_id', current: answer },
    );
  }
  throw new BoardError(
    'already_voted',
    'This network has chosen another option in this poll, and ballots are final; current is the ballot that counts.',
    { current: answer },
  );
}

export function noSuchPoll(): BoardError {
  return new BoardError(
    'poll_not_found',
    'There is no such poll here, or its topic was removed; find polls in /api/polls.',
  );
}

export function ballotSpends({ today }: CounterKeys): Spend[] {
  return [
    { scope: 'ballot', key: today },
    { scope: 'ballot', key: boardKey.today },
  ];
}
