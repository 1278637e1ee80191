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
 * Writes the `poll` entry, the closing event and the outcome. False when it is
 * not due or has ended: closers may run at the same time (spec/operators.md
 * §R5.1 I8).
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
 * Ends a removed topic's poll as `topic_removed`, without a result
 * (spec/board.md §6.6). A poll past its deadline keeps that end. False when
 * nothing ends; else emit `polls` after the commit.
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

/** More would need as many openings at once. */
const AT_ONCE = 200;

/**
 * Ends every poll past its deadline (spec/board.md §6.3); reads show those as
 * closed already.
 * @throws BoardError `unavailable`; the next run goes on
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

/** Kept with the topic's removed content. */
export type PollText = {
  question: string;
  options: string[];
  summary: string | null;
};

/** Returns the texts and clears them; null without (spec/mesh.md §B4). */
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

/** The poll stays closed. */
export async function putPollText(
  { manager }: Tx,
  rootId: number,
  text: PollText,
): Promise<void> {
  await manager.update(Poll, { rootId }, text);
}
