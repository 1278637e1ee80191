import { Message } from '../db/entities/message.js';
import { Poll } from '../db/entities/poll.js';
import type { Events } from '../db/events.js';
import type { Tx } from '../db/sql.js';
import { BoardError } from '../errors.js';
import { type AppendContext, refuse } from '../ledger/append.js';
import {
  lockPollEvents,
  recordPollEvent,
  type StoredDecision,
} from '../polls/index.js';
import {
  conflict,
  type DecidedPoll,
  type DecisionInput,
  newestDecision,
  recordDecision,
  type SeenDecision,
  seenDecision,
} from './record-decision.js';

/** A poll decision is about this message. */
async function topicOfPoll(
  { manager }: Tx,
  pollId: number,
): Promise<Pick<Message, 'id' | 'messageHash' | 'removedAt'> | null> {
  return await manager
    .createQueryBuilder(Message, 'm')
    .innerJoin(Poll, 'p', 'p.rootId = m.id')
    .select(['m.id', 'm.messageHash', 'm.removedAt'])
    .where('p.id = :pollId', { pollId })
    .getOne();
}

/**
 * Row, log entry and `decision_recorded` event (spec/board.md §6.3, §6.5;
 * spec/mesh.md §B4 `poll-…`). An open poll stays open. Refuses with
 * `poll_not_found`, or `decision_conflict` for a removed topic or a decision
 * that `supersedes` does not name.
 */
export async function decidePoll(
  context: AppendContext,
  input: Omit<DecisionInput, 'id'> & DecidedPoll,
  { events }: { events: Events },
): Promise<() => SeenDecision> {
  const { tx, now } = context;
  const { pollId, outcome, explanation, operator } = input;
  await lockPollEvents(tx);
  const topic = await topicOfPoll(tx, pollId);
  if (topic === null) {
    const detail = `No poll has the ID ${pollId}.`;
    return refuse(new BoardError('poll_not_found', detail));
  }
  if (topic.removedAt !== null) {
    const detail = "This poll's topic is removed.";
    return refuse(await conflict(tx, topic.id, detail));
  }
  const current = await newestDecision(tx, { pollId });
  if (current !== null && current.id !== input.supersedes) {
    return refuse(
      new BoardError(
        'decision_conflict',
        `This poll is decided already; reverse decision ${current.id} to change it.`,
        { current },
      ),
    );
  }
  const row = await recordDecision(
    context,
    'poll_decision',
    topic,
    { ...input, id: topic.id },
    'decision',
    { pollId, outcome },
  );
  const stored: StoredDecision = {
    outcome,
    explanation,
    decided_at: row.decided_at,
    decided_by: operator,
  };
  await tx.manager.update(Poll, { id: pollId }, { decision: stored });
  await recordPollEvent(tx, pollId, 'decision_recorded', { outcome }, now);
  return () => {
    events.emit('polls');
    return seenDecision(row);
  };
}
