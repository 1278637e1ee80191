// By hand: the hot path of ballots, and fragments for reads that stay one
// statement.

import type { PollOutcome } from '../../protocol/moderation.js';
import { type BudgetCheck, checkColumns, windowEnd } from '../db/budgets.js';
import { Message } from '../db/entities/message.js';
import { Poll } from '../db/entities/poll.js';
import type { ChallengeLock } from '../db/entities/ticket.js';
import type { Sql, Tx } from '../db/sql.js';
import { HIDDEN } from '../db/states.js';
import type { Limits } from '../limits.js';
import { lockScope } from '../tickets/index.js';
import type { BallotTicket } from './ballot-facts.js';

export type StoredDecision = {
  outcome: PollOutcome;
  explanation: string;
  /** Milliseconds. */
  decided_at: number;
  decided_by: string;
};

/**
 * A poll as {@link POLL_COLUMNS} gives it. Texts of removed topics are null.
 */
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

/** Public columns of {@link POLLS}. No text of a removed topic is read. */
export const POLL_COLUMNS = `poll.id, poll.root_id, poll.type, poll.kind,
  poll.created_at, poll.closes_at, poll.counts, poll.voters, poll.closed_at,
  poll.close_reason, poll.result, poll.winner, poll.decision,
  topic.removed_at IS NOT NULL AS removed,
  CASE WHEN topic.removed_at IS NULL THEN poll.question END AS question,
  CASE WHEN topic.removed_at IS NULL THEN poll.options END AS options,
  CASE WHEN topic.removed_at IS NULL THEN poll.summary END AS summary`;

/** Polls with the opening message they belong to. */
export const POLLS = 'poll JOIN message topic ON topic.id = poll.root_id';

/**
 * An SQL expression: the `PollRow` of the root `r` as one JSON value, or null
 * when it has no poll. For reads that stay one statement.
 */
export function pollOfRoot(r: string): string {
  return `(SELECT row_to_json(found) FROM (SELECT ${POLL_COLUMNS} FROM ${POLLS}
    WHERE poll.root_id = ${r}.id) AS found)`;
}

/**
 * An SQL expression: the poll of the root `r` in the form of feeds and
 * envelopes (`PollContent`, spec/mesh.md §B3), or null. Absent fields are left
 * out.
 */
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

/** The poll of this ID, null where there is none. */
export async function findPoll(sql: Sql, id: number): Promise<PollRow | null> {
  const row = await polls(sql)
    .where('poll.id = :id', { id })
    .getRawOne<PollRow>();
  return row ?? null;
}

/**
 * Polls, newest first. A list of all polls leaves out hidden topics, as every
 * default discovery does; a request that names the topic has found it already.
 *
 * @param before exclusive upper ID; `openAt` only polls open then, in ms.
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

/** Accepted options: of this `request_id`, and of this network. */
export type BallotRow = PollRow & {
  secret: Poll['secret'];
  byRequest: number | null;
  byNetwork: number | null;
  wrong: ChallengeLock['wrong'] | null;
  locked_until: ChallengeLock['lockedUntil'];
  /** One entry per check: the spend that blocks it, or null. */
  blocked: (number | null)[];
};

/** A ballot's poll and all that decides about the ballot. */
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

/** Stores a ballot and counts it. */
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
