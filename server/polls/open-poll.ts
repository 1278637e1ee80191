import { randomBytes } from 'node:crypto';
import type { Turn } from '../ledger/append-context.js';
import type { PollDraft } from './poll-draft.js';
import { recordPollEvent } from './poll-events.js';

const HOUR_MS = 3_600_000;

/**
 * Opens a topic's poll in the turn that publishes the topic, so that both
 * become public or neither (spec/board.md §6.3), and answers its ID.
 *
 * The deadline stands on a whole second, as the public `closes_at` shows it.
 */
export async function openPoll(
  turn: Turn,
  rootId: number,
  poll: PollDraft,
): Promise<number> {
  const second = Math.floor(turn.now / 1000) * 1000;
  const closesAt = second + poll.durationHours * HOUR_MS;
  // All that give poll ids hold the head lock: the highest plus one is free.
  const [row] = await turn.tx.query<{ id: number }>(
    `INSERT INTO poll (id, root_id, type, question, options, kind, summary,
       duration_hours, secret, created_at, closes_at, counts)
     SELECT coalesce(max(id), 0) + 1, $1::bigint, $2, $3, $4::text[], $5, $6,
       $7::int, $8::bytea, $9::bigint, $10::bigint,
       array_fill(0, ARRAY[cardinality($4::text[])])
     FROM poll RETURNING id`,
    [
      rootId,
      poll.type,
      poll.question,
      poll.options,
      poll.proposal?.kind ?? null,
      poll.proposal?.summary ?? null,
      poll.durationHours,
      randomBytes(32),
      turn.at,
      closesAt,
    ],
  );
  if (row === undefined) throw new Error('an opened poll has no id');
  await recordPollEvent(
    turn.tx,
    row.id,
    'opened',
    { closes_at: closesAt },
    turn.now,
  );
  return row.id;
}
