// By hand: the hot path of ballots, and SQL fragments.

import type { PollOutcome } from '../../protocol/moderation.js';
import { type BudgetCheck, checkColumns, windowEnd } from '../db/budgets.js';
import { Message } from '../db/entities/message.js';
import { Ballot, Poll } from '../db/entities/poll.js';
import type { ChallengeLock } from '../db/entities/ticket.js';
import type { Sql, Tx } from '../db/sql.js';
import { HIDDEN } from '../db/states.js';
import type { Limits } from '../limits.js';
import { lockScope } from '../tickets/index.js';
import type { BallotTicket } from './ballot-facts.js';

export type StoredDecision = {
  outcome: PollOutcome;
  explanation: string;
  /** In ms. */
  decided_at: number;
  decided_by: string;
};

/** Columns of {@link POLL_COLUMNS}. Texts of removed topics are null. */
export type PollRow = Pick<
  Poll,
  | 'id'
  | 'type'
  | 'question'
  | 'options'
  | 'kind'
  | 'summary'
  | 'counts'
  | 'voters'
  | 'result'
  | 'winner'
> & {
  root_id: number;
  created_at: number;
  closes_at: number;
  closed_at: number | null;
  close_reason: Poll['closeReason'];
  decision: StoredDecision | null;
  removed: boolean;
};

/** Never reads texts of removed topics. */
export const POLL_COLUMNS = `poll.id, poll.root_id, poll.type, poll.kind,
  poll.created_at, poll.closes_at, poll.counts, poll.voters, poll.closed_at,
  poll.close_reason, poll.result, poll.winner, poll.decision,
  topic.removed_at IS NOT NULL AS removed,
  CASE WHEN topic.removed_at IS NULL THEN poll.question END AS question,
  CASE WHEN topic.removed_at IS NULL THEN poll.options END AS options,
  CASE WHEN topic.removed_at IS NULL THEN poll.summary END AS summary`;

export const POLLS = 'poll JOIN message topic ON topic.id = poll.root_id';

/** SQL expression: the `PollRow` of root `r` as JSON, or null. */
export function pollOfRoot(r: string): string {
  return `(SELECT row_to_json(found) FROM (SELECT ${POLL_COLUMNS} FROM ${POLLS}
    WHERE poll.root_id = ${r}.id) AS found)`;
}

/** SQL expression: the poll of root `r` as `PollContent`, or null. */
export function pollContentOfRoot(r: string): string {
  return `(SELECT json_strip_nulls(json_build_object(
      'question', poll.question,
      'options', CASE WHEN poll.type = 'survey' THEN poll.options END,
      'duration_hours', poll.duration_hours,
      'kind', poll.kind, 'summary', poll.summary))
    FROM poll WHERE poll.root_id = ${r}.id AND poll.question IS NOT NULL)`;
}

const polls = ({ manager }: Sql) =>
  manager
    .createQueryBuilder(Poll, 'poll')
    .innerJoin(Message, 'topic', 'topic.id = poll.rootId')
    .select(POLL_COLUMNS);

export async function findPoll(sql: Sql, id: number): Promise<PollRow | null> {
  const row = await polls(sql)
    .where('poll.id = :id', { id })
    .getRawOne<PollRow>();
  return row ?? null;
}

/**
 * Newest first, without hidden topics unless a topic is named.
 * @param before exclusive upper ID; `openAt`: open at that time, in ms
 */
export async function pollPage(
  sql: Sql,
  before: number | null,
  rootId: number | null,
  openAt: number | null,
  limit: number,
): Promise<PollRow[]> {
  const page = polls(sql).orderBy('poll.id', 'DESC').limit(limit);
  if (before !== null) page.andWhere('poll.id < :before', { before });
  if (rootId !== null) page.andWhere('poll.rootId = :rootId', { rootId });
  else
    page.andWhere('topic.visibility NOT IN (:...hidden)', { hidden: HIDDEN });
  if (openAt !== null) {
    page
      .andWhere('poll.closedAt IS NULL AND poll.closesAt > :openAt', { openAt })
      .andWhere('topic.removedAt IS NULL');
  }
  return await page.getRawMany<PollRow>();
}

/** Newest first; of several polls where a UUID was used again. */
export async function ballotsOf(
  sql: Sql,
  requestId: string,
): Promise<(PollRow & { choice: number })[]> {
  return await polls(sql)
    .innerJoin(Ballot, 'ballot', 'ballot.pollId = poll.id')
    .addSelect('ballot.choice', 'choice')
    .where('ballot.requestId = :requestId', { requestId })
    .orderBy({ 'ballot.at': 'DESC', 'poll.id': 'DESC' })
    .limit(MOST_BALLOTS)
    .getRawMany<PollRow & { choice: number }>();
}

const MOST_BALLOTS = 100;

/** Accepted options, by `request_id` and by network. */
export type BallotRow = PollRow & {
  secret: Poll['secret'];
  byRequest: number | null;
  byNetwork: number | null;
  wrong: ChallengeLock['wrong'] | null;
  locked_until: ChallengeLock['lockedUntil'];
  /** Per check: the spend that blocks it, or null. */
  blocked: (number | null)[];
};

export async function readForBallot(
  sql: Sql,
  pollId: number,
  { hash, choice, voter }: BallotTicket,
  checks: readonly BudgetCheck[],
  limits: Limits,
  now: number,
): Promise<BallotRow | null> {
  const [row] = await sql.query<BallotRow>(
    `SELECT ${POLL_COLUMNS}, poll.secret, r.choice AS "byRequest", n.choice AS "byNetwork",
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
      pollId,
      choice.requestId,
      voter,
      lockScope({ ticket: hash }),
      ...checkColumns(checks, limits, now),
      windowEnd(now),
    ],
  );
  return row ?? null;
}

export async function insertBallot(
  tx: Tx,
  pollId: number,
  { choice, voter }: BallotTicket,
  now: number,
): Promise<Pick<Poll, 'counts' | 'voters'>> {
  const [tally] = await tx.query<Pick<Poll, 'counts' | 'voters'>>(
    `WITH counted AS (
       INSERT INTO ballot (poll_id, voter, choice, request_id, at)
       VALUES ($1, $2, $3, $4, $5)
     )
     UPDATE poll SET counts[$3::int + 1] = counts[$3::int + 1] + 1,
       voters = voters + 1
     WHERE id = $1 RETURNING counts, voters`,
    [pollId, voter, choice.option, choice.requestId, now],
  );
  if (tally === undefined) throw new Error('a poll that exists was not found');
  return tally;
}
