import type { Context } from '../context.js';
import { closePoll } from './close-poll.js';

/** So many deadlines at once would need a board that opened as many. */
const AT_ONCE = 200;

/**
 * One run of the closer (spec/board.md §6.3): ends every poll whose deadline
 * has passed and answers how many this run ended. Reads show those polls as
 * closed already; this records it in the log and as the closing event.
 *
 * @throws BoardError `unavailable` as the ledger does; the next run goes on.
 */
export async function closeDuePolls(ctx: Context): Promise<{ closed: number }> {
  const due = await ctx.writes.query<{ id: number }>(
    `SELECT id FROM poll WHERE closed_at IS NULL AND closes_at <= $1
     ORDER BY closes_at, id LIMIT ${AT_ONCE}`,
    [ctx.clock.now()],
  );
  const ended = await Promise.all(
    due.map(({ id }) =>
      ctx.ledger.append(async (turn) => {
        const done = await closePoll(turn, id, ctx.limits.survey_votes_min);
        return () => done;
      }),
    ),
  );
  const closed = ended.filter(Boolean).length;
  if (closed > 0) ctx.events.emit('polls');
  return { closed };
}
