import { createHash } from 'node:crypto';
import type { Sql } from '../db/sql.js';
import { BoardError } from '../errors.js';
import type { Limits } from '../limits.js';

/** Wrong answers count per request_id for writes, per ticket for votes. */
export function lockScope(of: { requestId: string } | { ticket: Buffer }) {
  const hash = createHash('sha256');
  if ('requestId' in of) return hash.update(`request ${of.requestId}`).digest();
  return hash.update('ticket ').update(of.ticket).digest();
}

export function challengeLocked(until: number, now: number): BoardError {
  const seconds = Math.max(1, Math.ceil((until - now) / 1000));
  return new BoardError(
    'challenge_locked',
    `Too many wrong answers; wait ${seconds} s, then answer the challenge of a ticket again.`,
    { scope: 'challenge_attempts', retry_after_seconds: seconds },
  );
}

/**
 * Counts a wrong answer under the row's lock and gives the refusal: the last
 * permitted one locks for `challenge_lock_seconds` (spec/board.md §3).
 */
export async function wrongAnswer(
  sql: Sql,
  scope: Buffer,
  limits: Limits,
  now: number,
): Promise<BoardError> {
  const [row] = await sql.query<{
    wrong: number;
    locked_until: number | null;
  }>(
    `INSERT INTO challenge_lock AS l (scope, wrong, locked_until, at)
     VALUES ($1, 1, CASE WHEN $2::int <= 1 THEN $3::bigint END, $4)
     ON CONFLICT (scope) DO UPDATE SET
       wrong = CASE WHEN l.locked_until IS NULL THEN l.wrong + 1
                    WHEN l.locked_until <= $4 THEN 1 ELSE l.wrong END,
       locked_until = CASE
         WHEN l.locked_until > $4 THEN l.locked_until
         WHEN l.locked_until IS NULL AND l.wrong + 1 >= $2 THEN $3
         WHEN l.locked_until IS NOT NULL AND $2 <= 1 THEN $3 END,
       at = $4
     RETURNING wrong, locked_until`,
    [
      scope,
      limits.challenge_attempts,
      now + limits.challenge_lock_seconds * 1000,
      now,
    ],
  );
  if (row?.locked_until) return challengeLocked(row.locked_until, now);
  const left = limits.challenge_attempts - (row?.wrong ?? 1);
  return new BoardError(
    'wrong_answer',
    `That is not the answer. Add the two numbers and append a hyphen and the word; ${left} attempts left.`,
    { field: 'answer', attempts_left: left },
  );
}

/**
 * A right answer sets the count to 0. It never lifts a lock that wrong answers
 * brought on at the same moment.
 */
export async function forgetWrongAnswers(
  sql: Sql,
  scope: Buffer,
  now: number,
): Promise<void> {
  await sql.query(
    `DELETE FROM challenge_lock WHERE scope = $1
       AND (locked_until IS NULL OR locked_until <= $2)`,
    [scope, now],
  );
}
