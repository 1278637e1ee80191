import type {
  DecisionEntry,
  PollEntry,
  RemoveEntry,
} from '../../protocol/entry.js';
import type { PollOutcome } from '../../protocol/moderation.js';
import { Decision } from '../../server/db/entities/decision.js';
import { Message, SealedContent } from '../../server/db/entities/message.js';
import { Poll } from '../../server/db/entities/poll.js';
import { nextId } from '../../server/db/next-id.sql.js';
import { noteEvent } from '../../server/db/note-event.js';
import type { Tx } from '../../server/db/sql.js';
import {
  eraseSealed,
  sealContents,
  unsealContent,
} from '../../server/moderation/index.js';
import { recordPollEvent, takePollText } from '../../server/polls/index.js';

/** A log keeps only the hash of explanations. */
function explanationOf(index: number): string {
  return `Not recoverable: the board was restored from a mirror, and the log keeps only the hash of an explanation (entry ${index}).`;
}

async function subject({ manager }: Tx, id: number) {
  return await manager.findOne(Message, {
    select: { id: true, rootId: true, removedBy: true },
    where: { id },
  });
}

type About = Pick<Decision, 'action'> &
  Partial<Pick<Decision, 'reason' | 'madeBy' | 'outcome' | 'pollId'>>;

/** The state that only this decision causes. */
const EFFECTS: Partial<Record<Decision['action'], Decision['effect']>> = {
  remove: 'removed',
  erase: 'removed',
  hide: 'hidden_by_decision',
  restore_visibility: 'restored_by_decision',
};

async function decide(
  tx: Tx,
  index: number,
  { id, at }: { id: number; at: number },
  about: About,
): Promise<number> {
  const decisionId = await nextId(tx, 'decision');
  const { action, reason = 'other', pollId = null } = about;
  const operator = 'operator';
  await tx.manager.insert(Decision, {
    id: decisionId,
    messageId: id,
    effect: EFFECTS[action] ?? null,
    reason,
    explanation: explanationOf(index),
    madeBy: 'operator',
    operator,
    decidedAt: at,
    logIndex: index,
    generation: () => '(SELECT generation FROM log_state WHERE origin_id = 0)',
    ...about,
  });
  await noteEvent(tx, 'decision', {
    decision_id: decisionId,
    message_id: id,
    poll_id: pollId,
    action,
    reason,
    operator,
  });
  return decisionId;
}

/** `kept`: the text was mirrored, as it was reinstated later. */
export async function restoreRemoval(
  tx: Tx,
  index: number,
  entry: RemoveEntry,
  kept: boolean,
): Promise<void> {
  const { id, at, reason, by } = entry;
  const row = await subject(tx, id);
  if (row === null || row.removedBy !== null) return;
  const about = { action: 'remove', reason, madeBy: by } as const;
  const decisionId = await decide(tx, index, entry, about);
  const poll = id === row.rootId ? await takePollText(tx, id) : null;
  const { rootId } = row;
  await sealContents(tx, [{ id, rootId, decisionId, at, keep: kept, poll }]);
}

export async function restoreDecision(
  tx: Tx,
  index: number,
  entry: DecisionEntry,
): Promise<void> {
  const { id, at, action } = entry;
  const row = await subject(tx, id);
  if (row === null) return;
  if (action.startsWith('poll-')) {
    const outcome = action.slice(5) as PollOutcome;
    await restorePollDecision(tx, index, entry, outcome);
  } else if (action === 'reinstate') {
    await decide(tx, index, entry, { action });
    const isKept = await tx.manager.existsBy(SealedContent, { messageId: id });
    if (row.removedBy === null || !isKept) return;
    await unsealContent(tx, { id, rootId: row.rootId });
  } else if (action === 'erase') {
    const decisionId = await decide(tx, index, entry, { action });
    if (row.removedBy !== null) await eraseSealed(tx, id, decisionId);
  } else if (action === 'keep') {
    await decide(tx, index, entry, { action });
  } else {
    const as = action === 'hide' ? 'hide' : 'restore_visibility';
    const decisionId = await decide(tx, index, { id, at }, { action: as });
    const visibility =
      as === 'hide' ? 'hidden_by_decision' : 'restored_by_decision';
    await tx.manager.update(
      Message,
      { id },
      { visibility, visibilityBy: decisionId },
    );
    await noteEvent(tx, 'hidden', { message_id: id, visibility });
  }
}

async function restorePollDecision(
  tx: Tx,
  index: number,
  entry: DecisionEntry,
  outcome: PollOutcome,
): Promise<void> {
  const poll = await tx.manager.findOne(Poll, {
    select: { id: true },
    where: { rootId: entry.id },
  });
  if (poll === null) return;
  const { id: pollId } = poll;
  const action = 'poll_decision';
  await decide(tx, index, entry, { action, outcome, pollId });
  const decision = {
    outcome,
    explanation: explanationOf(index),
    decided_at: entry.at,
    decided_by: 'operator',
  };
  await tx.manager.update(Poll, { id: pollId }, { decision });
}

/** With the log's counts; ballots are lost. */
export async function restorePollEnd(tx: Tx, entry: PollEntry): Promise<void> {
  const { poll, counts, voters, result, winner, at } = entry;
  const voided = result === 'voided';
  const { affected } = await tx.manager.update(
    Poll,
    { id: poll },
    {
      closedAt: at,
      closeReason: voided ? 'topic_removed' : 'deadline',
      result: voided ? null : result,
      winner: voided ? null : winner,
      counts: [...counts],
      voters,
    },
  );
  if (affected === 0) return;
  if (voided) await recordPollEvent(tx, poll, 'voided', { counts }, at);
  else
    await recordPollEvent(tx, poll, 'closed', { result, winner, counts }, at);
}
