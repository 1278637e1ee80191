import type { Events } from '../db/events.js';
import type { Tx } from '../db/sql.js';
import { BoardError } from '../errors.js';
import type { Turn } from '../ledger/append-context.js';
import { lockPollEvents, recordPollEvent } from '../polls/poll-events.js';
import type { StoredDecision } from '../polls/poll-row.js';
import {
  conflict,
  DECISION_COLUMNS,
  type DecisionRow,
  type PollRuling,
  type PublicDecision,
  publicDecision,
  type Ruling,
  recordDecision,
  refuse,
} from './record-decision.js';

/** A ruling on a poll; its message is the poll's topic. */
export type PollDecisionRuling = Omit<Ruling, 'id'> & PollRuling;

type Row = { root_id: number; message_hash: Buffer; removed: boolean };

/** The topic of a poll, which is the message a poll decision is about. */
export async function topicOfPoll(tx: Tx, pollId: number): Promise<Row | null> {
  const [row] = await tx.query<Row>(
    `SELECT p.root_id, m.message_hash, m.removed_at IS NOT NULL AS removed
     FROM poll p JOIN message m ON m.id = p.root_id WHERE p.id = $1`,
    [pollId],
  );
  return row ?? null;
}

/**
 * Records what operators made of a poll (spec/board.md §6.3, §6.5; spec/mesh.md
 * §B4
 * `poll-…`): its row, its log entry and a `decision_recorded` event. A poll
 * still open stays open. Refused with `poll_not_found`, or `decision_conflict`
 * when its topic is removed, or it is decided already and `supersedes` does
 * not name that decision.
 */
export async function decidePoll(
  turn: Turn,
  ruling: PollDecisionRuling,
  { events }: { events: Events },
): Promise<() => PublicDecision> {
  const { tx } = turn;
  const { pollId, outcome, explanation, operator } = ruling;
  await lockPollEvents(tx);
  const topic = await topicOfPoll(tx, pollId);
  if (topic === null) return refuse(unknownPoll(pollId));
  if (topic.removed) {
    const detail = "This poll's topic is removed.";
    return refuse(await conflict(tx, topic.root_id, detail));
  }
  const current = await lastOfPoll(tx, pollId);
  if (current !== null && current.id !== ruling.supersedes) {
    return refuse(
      new BoardError(
        'decision_conflict',
        `This poll is decided already; supersede decision ${current.id} to decide anew.`,
        { current: publicDecision(current) },
      ),
    );
  }
  const full = { ...ruling, id: topic.root_id };
  const action = 'poll_decision';
  const about = { pollId, outcome };
  const row = await recordDecision(
    turn,
    action,
    topic,
    full,
    'decision',
    about,
  );
  const stored: StoredDecision = {
    outcome,
    explanation,
    decided_at: row.decided_at,
    decided_by: operator,
  };
  await tx.query('UPDATE poll SET decision = $2 WHERE id = $1', [
    pollId,
    JSON.stringify(stored),
  ]);
  await recordPollEvent(tx, pollId, 'decision_recorded', { outcome }, turn.now);
  return () => {
    events.emit('polls');
    return publicDecision(row);
  };
}

function unknownPoll(pollId: number): BoardError {
  return new BoardError('poll_not_found', `No poll has the ID ${pollId}.`);
}

async function lastOfPoll(tx: Tx, pollId: number): Promise<DecisionRow | null> {
  const [row] = await tx.query<DecisionRow>(
    `SELECT ${DECISION_COLUMNS} FROM decision d WHERE d.poll_id = $1
     ORDER BY d.id DESC LIMIT 1`,
    [pollId],
  );
  return row ?? null;
}
