import { IsNull, LessThanOrEqual } from 'typeorm';
import type { PollResult as LoggedResult } from '../../protocol/entry.js';
import type { Context } from '../context.js';
import { Poll } from '../db/entities/poll.js';
import type { Tx } from '../db/sql.js';
import type { PollCloseReason } from '../db/states.js';
import type { AppendContext } from '../ledger/append.js';
import { lockPollEvents, recordPollEvent } from './poll-events.sql.js';
import { type Outcome, outcomeOf } from './poll-view.js';

/**
 * Ends a poll whose deadline has passed: the log's `poll` entry, the one
 * closing event, the recorded outcome. False when it is not due or has ended
 * already, so that closers may run at the same time (spec/operators.md §R5.1
 * I8).
 */
export async function closePoll(
  context: AppendContext,
  pollId: number,
  votesMin: number,
): Promise<boolean> {
  const poll = await runningPoll(context.tx, { id: pollId });
  if (poll === null) return false;
  if (context.now < poll.closesAt) return false;
  await endAtDeadline(context, poll, votesMin);
  return true;
}

/**
 * Ends the poll of a topic that the same job removes, as `topic_removed` and
 * without a result (spec/board.md §6.6). One that ended at its deadline before
 * keeps that end, recorded or not. False when there is nothing to end.
 *
 * Emit the event `polls` after the commit when it is true.
 */
export async function voidPoll(
  context: AppendContext,
  rootId: number,
  votesMin: number,
): Promise<boolean> {
  const poll = await runningPoll(context.tx, { rootId });
  if (poll === null) return false;
  if (context.now >= poll.closesAt) {
    await endAtDeadline(context, poll, votesMin);
    return true;
  }
  logEnd(context, poll, 'voided', null);
  await recordEnd(context, poll.id, 'topic_removed', null);
  const { counts } = poll;
  await recordPollEvent(context.tx, poll.id, 'voided', { counts }, context.now);
  return true;
}

/** The poll, locked, unless it has ended already or there is none. */
async function runningPoll(
  tx: Tx,
  which: { id: number } | { rootId: number },
): Promise<Poll | null> {
  await lockPollEvents(tx);
  const poll = await tx.manager.findOne(Poll, {
    where: which,
    lock: { mode: 'pessimistic_write' },
  });
  return poll === null || poll.closedAt !== null ? null : poll;
}

async function endAtDeadline(
  context: AppendContext,
  poll: Poll,
  votesMin: number,
): Promise<void> {
  const { id, counts, voters } = poll;
  const outcome = outcomeOf(counts, voters, votesMin);
  logEnd(context, poll, outcome.result, outcome.winner);
  await recordEnd(context, id, 'deadline', outcome);
  await recordPollEvent(
    context.tx,
    id,
    'closed',
    { ...outcome, counts },
    context.now,
  );
}

function logEnd(
  context: AppendContext,
  { id, rootId, counts, voters }: Poll,
  result: LoggedResult,
  winner: number | null,
): void {
  context.append(
    {
      type: 'poll',
      at: context.at,
      id: rootId,
      poll: id,
      counts,
      voters,
      result,
      winner,
    },
    { messageId: rootId },
  );
}

async function recordEnd(
  { tx, at }: AppendContext,
  pollId: number,
  closeReason: PollCloseReason,
  outcome: Outcome | null,
): Promise<void> {
  const { result = null, winner = null } = outcome ?? {};
  const end = { closedAt: at, closeReason, result, winner };
  await tx.manager.update(Poll, { id: pollId }, end);
}

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
  const due = await ctx.writes.manager.find(Poll, {
    select: { id: true },
    where: { closedAt: IsNull(), closesAt: LessThanOrEqual(ctx.clock.now()) },
    order: { closesAt: 'ASC', id: 'ASC' },
    take: AT_ONCE,
  });
  const ended = await Promise.all(
    due.map(({ id }) =>
      ctx.ledger.append(async (context) => {
        const done = await closePoll(context, id, ctx.limits.survey_votes_min);
        return () => done;
      }),
    ),
  );
  const closed = ended.filter(Boolean).length;
  if (closed > 0) ctx.events.emit('polls');
  return { closed };
}

/** A poll's erasable texts, kept with its topic's removed content. */
export type PollText = {
  question: string;
  options: string[];
  summary: string | null;
};

/**
 * Takes the texts out of a removed topic's poll and answers them; null when
 * there is no poll or they are gone (spec/mesh.md §B4, Removal).
 */
export async function takePollText(
  { manager }: Tx,
  rootId: number,
): Promise<PollText | null> {
  const poll = await manager.findOne(Poll, {
    where: { rootId },
    lock: { mode: 'pessimistic_write' },
  });
  if (poll === null) return null;
  const { id, question, options, summary } = poll;
  if (question === null || options === null) return null;
  const gone = { question: null, options: null, summary: null };
  await manager.update(Poll, { id }, gone);
  return { question, options, summary };
}

/** Puts the texts of a reinstated topic's poll back; it stays closed. */
export async function putPollText(
  { manager }: Tx,
  rootId: number,
  text: PollText,
): Promise<void> {
  await manager.update(Poll, { rootId }, text);
}
