import type { Context } from '../context.js';
import { type BudgetCheck, checkColumns, windowEnd } from '../db/budgets.js';
import type { Sql } from '../db/sql.js';
import { BoardError } from '../errors.js';
import { lockScope } from '../tickets/answer-lock.js';
import type { Ticket } from '../tickets/ticket.js';
import type { AnswerLock } from '../tickets/voting.js';
import type { CastBallot } from './answers.js';
import { POLL_COLUMNS, POLLS, type PollRow } from './poll-row.js';
import { tallyOf } from './poll-view.js';

/** What a ballot's ticket stores; `option` is its place in the poll. */
export type BallotDraft = { pollId: number; option: number; voter: string };

export type BallotTicket = Ticket<BallotDraft> & { requestId: string };

export type BallotFacts = {
  poll: PollRow;
  /** Accepted options: of this `request_id`, and of this network. */
  byRequest: number | null;
  byNetwork: number | null;
  lock: AnswerLock;
  /** One entry per check: the spend that blocks it, or null. */
  blocked: (number | null)[];
};

type Row = PollRow & {
  by_request: number | null;
  by_network: number | null;
  wrong: number | null;
  locked_until: number | null;
  blocked: (number | null)[];
};

/**
 * All that decides about a ballot. Looked at before the lock without checks,
 * and again under it with them.
 * @throws BoardError `poll_not_found` when the topic is removed (5.8).
 */
export async function ballotFacts(
  ctx: Context,
  sql: Sql,
  { hash, requestId, draft }: BallotTicket,
  checks: readonly BudgetCheck[],
  now: number,
): Promise<BallotFacts> {
  const [row] = await sql.query<Row>(
    `SELECT ${POLL_COLUMNS}, r.choice AS by_request, n.choice AS by_network,
       l.wrong, l.locked_until,
       ARRAY(SELECT budget_blocked_by(c.scope, c.today, c.old, c.bound,
               c.since, $10)
             FROM unnest($5::text[], $6::bytea[], $7::bytea[], $8::bigint[],
               $9::bigint[]) WITH ORDINALITY
               AS c (scope, today, old, bound, since, at)
             ORDER BY c.at) AS blocked
     FROM ${POLLS}
       LEFT JOIN ballot r ON r.poll_id = poll.id AND r.request_id = $2
       LEFT JOIN ballot n ON n.poll_id = poll.id AND n.voter = $3
       LEFT JOIN challenge_lock l ON l.scope = $4
     WHERE poll.id = $1`,
    [
      draft.pollId,
      requestId,
      Buffer.from(draft.voter, 'hex'),
      lockScope({ ticket: hash }),
      ...checkColumns(checks, ctx.limits, now),
      windowEnd(now),
    ],
  );
  if (row === undefined || row.removed) throw noSuchPoll();
  return {
    poll: row,
    byRequest: row.by_request,
    byNetwork: row.by_network,
    lock: { wrong: row.wrong ?? 0, until: row.locked_until ?? 0 },
    blocked: row.blocked,
  };
}

/** The body of a ballot's answer (spec/board.md §6.2). */
export function ballotAnswer(
  ctx: Context,
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
 * The answer to a ballot that is accepted already, or null: the `request_id`
 * is looked at first, the network's ballot second (spec/board.md §6.2).
 * @throws BoardError `request_id_conflict`, `already_voted`.
 */
export function acceptedBallot(
  ctx: Context,
  { poll, byRequest, byNetwork }: BallotFacts,
  { draft, requestId }: BallotTicket,
  now: number,
): CastBallot | null {
  const known = byRequest ?? byNetwork;
  if (known === null) return null;
  const answer = ballotAnswer(ctx, poll, known, 'already_voted', now);
  if (known === draft.option) return answer;
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
