import type {
  DecisionEntry,
  PollEntry,
  RemoveEntry,
} from '../../protocol/entry.js';
import { nextId } from '../../server/db/next-id.js';
import type { Tx } from '../../server/db/sql.js';
import {
  eraseSealed,
  recountThread,
  sealContent,
  unsealContent,
} from '../../server/moderation/removed-content.js';
import { recordPollEvent } from '../../server/polls/poll-events.js';
import { takePollText } from '../../server/polls/poll-text.js';

type Row = { root_id: number; removed_by: number | null; kept: boolean };

/** A log keeps only the hash of what its operators explained. */
function explanationOf(index: number): string {
  return `Not recoverable: the board was restored from a mirror, and the log keeps only the hash of an explanation (entry ${index}).`;
}

async function subject(tx: Tx, id: number): Promise<Row | null> {
  const [row] = await tx.query<Row>(
    `SELECT root_id, removed_by, EXISTS (SELECT FROM sealed_content s
       WHERE s.message_id = m.id) AS kept FROM message m WHERE id = $1`,
    [id],
  );
  return row ?? null;
}

type About = {
  action: string;
  reason?: string;
  by?: string;
  outcome?: string;
  pollId?: number;
};

async function decide(
  tx: Tx,
  index: number,
  { id, at }: { id: number; at: number },
  { action, reason = 'other', by = 'operator', outcome, pollId }: About,
): Promise<number> {
  const decisionId = await nextId(tx, 'decision');
  await tx.query(
    `INSERT INTO decision (id, message_id, action, effect, reason, explanation,
       made_by, operator, decided_at, log_index, outcome, poll_id,
       generation)
     VALUES ($1, $2, $3, CASE $3 WHEN 'remove' THEN 'removed'
         WHEN 'erase' THEN 'removed' WHEN 'hide' THEN 'hidden_by_decision'
         WHEN 'restore_visibility' THEN 'restored_by_decision' END,
       $4, $5, $6, 'operator', $7, $8, $9, $10,
       (SELECT generation FROM log_state WHERE origin_id = 0))`,
    [
      decisionId,
      id,
      action,
      reason,
      explanationOf(index),
      by,
      at,
      index,
      outcome ?? null,
      pollId ?? null,
    ],
  );
  return decisionId;
}

/** `kept`: its text was mirrored, because it was reinstated later. */
export async function restoreRemoval(
  tx: Tx,
  index: number,
  entry: RemoveEntry,
  kept: boolean,
): Promise<void> {
  const { id, at, reason, by } = entry;
  const row = await subject(tx, id);
  if (row === null || row.removed_by !== null) return;
  const about = { action: 'remove', reason, by };
  const decisionId = await decide(tx, index, entry, about);
  const poll = id === row.root_id ? await takePollText(tx, id) : null;
  await sealContent(tx, { id, decisionId, at, keep: kept, poll });
  await recountThread(tx, row.root_id);
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
    await restorePollDecision(tx, index, entry, action.slice(5));
  } else if (action === 'reinstate') {
    await decide(tx, index, entry, { action });
    if (row.removed_by === null || !row.kept) return;
    await unsealContent(tx, { id, root_id: row.root_id });
    await recountThread(tx, row.root_id);
  } else if (action === 'erase') {
    const decisionId = await decide(tx, index, entry, { action });
    if (row.removed_by !== null) await eraseSealed(tx, id, decisionId);
  } else if (action === 'keep') {
    await decide(tx, index, entry, { action });
  } else {
    const as = action === 'hide' ? 'hide' : 'restore_visibility';
    const decisionId = await decide(tx, index, { id, at }, { action: as });
    await tx.query(
      'UPDATE message SET visibility = $2, visibility_by = $3 WHERE id = $1',
      [
        id,
        as === 'hide' ? 'hidden_by_decision' : 'restored_by_decision',
        decisionId,
      ],
    );
  }
}

async function restorePollDecision(
  tx: Tx,
  index: number,
  entry: DecisionEntry,
  outcome: string,
): Promise<void> {
  const [poll] = await tx.query<{ id: number }>(
    'SELECT id FROM poll WHERE root_id = $1',
    [entry.id],
  );
  if (poll === undefined) return;
  const pollId = poll.id;
  const action = 'poll_decision';
  await decide(tx, index, entry, { action, outcome, pollId });
  await tx.query('UPDATE poll SET decision = $2 WHERE id = $1', [
    pollId,
    JSON.stringify({
      outcome,
      explanation: explanationOf(index),
      decided_at: entry.at,
      decided_by: 'operator',
    }),
  ]);
}

/** The end of a poll; the counts are the log's, its ballots are gone. */
export async function restorePollEnd(tx: Tx, entry: PollEntry): Promise<void> {
  const { poll, counts, voters, result, winner, at } = entry;
  const voided = result === 'voided';
  const closed = await tx.query(
    `UPDATE poll SET closed_at = $2, close_reason = $3, result = $4,
       winner = $5, counts = $6, voters = $7 WHERE id = $1 RETURNING id`,
    [
      poll,
      at,
      voided ? 'topic_removed' : 'deadline',
      voided ? null : result,
      voided ? null : winner,
      counts,
      voters,
    ],
  );
  if (closed.length === 0) return;
  if (voided) await recordPollEvent(tx, poll, 'voided', { counts }, at);
  else
    await recordPollEvent(tx, poll, 'closed', { result, winner, counts }, at);
}
