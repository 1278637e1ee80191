import type { Context } from '../context.js';
import {
  type BudgetCheck,
  boardKey,
  type CounterKeys,
  checksOf,
  networkKey,
  type Spend,
  windows,
} from '../db/budgets.js';
import type { Sql } from '../db/sql.js';
import { BoardError } from '../errors.js';
import type { AnswerLock, VotingTicket } from '../tickets/index.js';
import type { CastBallot } from './answers.js';
import { tallyOf } from './poll-view.js';
import { type BallotRow, type PollRow, readForBallot } from './polls.sql.js';

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

const { minute, hour } = windows;

/** spec/board.md §13; board-wide ones per minute. */
const BUDGETS = {
  ballot_preview: {
    network: [['ballot_previews_per_network_hour', hour]],
    board: 'ballot_previews_per_board_minute',
  },
  ballot_attempt: {
    network: [['ballot_attempts_per_network_minute', minute]],
    board: 'ballot_attempts_per_board_minute',
  },
  ballot: {
    network: [
      ['ballots_per_network_minute', minute],
      ['ballots_per_network_hour', hour],
    ],
    board: 'ballots_per_board_minute',
  },
} as const;

export function ballotChecks(
  scope: keyof typeof BUDGETS,
  counters: CounterKeys,
): BudgetCheck[] {
  const { network, board } = BUDGETS[scope];
  return [
    ...checksOf(scope, networkKey(counters), network),
    ...checksOf(scope, boardKey, [[board, minute]]),
  ];
}

export function ballotSpends({ today }: CounterKeys): Spend[] {
  return [
    { scope: 'ballot', key: today },
    { scope: 'ballot', key: boardKey.today },
  ];
}
