import {
  type ChainEvent,
  currentSeq,
  type KeyStep,
} from '../../protocol/key.js';
import type { Tx } from '../db/sql.js';
import type { Turn } from './append-context.js';
import { OWN_LOG } from './nodes.js';

/** The event that a step has added to its chain. */
function newest({ kind, chain }: KeyStep): ChainEvent {
  const { events, conflicts } = chain;
  const event = kind === 'conflict' ? conflicts.at(-1) : events.at(-1);
  if (event === undefined) throw new Error('a key step without its event');
  return event;
}

/**
 * Stores a step that an entry of a log brought (`advance` or `conflict`; a
 * repeat changes nothing and MUST NOT come here): the event, and the state it
 * leads to. One statement.
 *
 * @param index the entry's place in that log; `at` its time, in ms.
 */
export async function storeKeyStep(
  tx: Tx,
  originId: number,
  index: number,
  at: number,
  step: KeyStep,
): Promise<void> {
  const { chain, event } = step;
  const { hash, note } = newest(step);
  const head = chain.events.at(-1);
  if (head === undefined) throw new Error('a key chain without events');
  const { key, next } = head.event;
  await tx.query(
    `WITH event AS (
       INSERT INTO agent_key_event (origin_id, idx, agent_id, seq, conflict,
         hash, note)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
     )
     INSERT INTO agent_key AS k (origin_id, agent_id, status, key_seq,
       public_key, next, head_hash, registered_at, changed_at, changed_idx)
     VALUES ($1, $3, $8, $9, $10, $11, $12, $13, $13, $2)
     ON CONFLICT (origin_id, agent_id) DO UPDATE SET
       status = excluded.status, key_seq = excluded.key_seq,
       public_key = excluded.public_key, next = excluded.next,
       head_hash = excluded.head_hash, changed_at = excluded.changed_at,
       changed_idx = excluded.changed_idx`,
    [
      originId,
      index,
      chain.agent,
      event.seq,
      step.kind === 'conflict',
      Buffer.from(hash),
      note,
      chain.status,
      currentSeq(chain),
      Buffer.from(key),
      next === null ? null : Buffer.from(next),
      Buffer.from(head.hash),
      at,
    ],
  );
}

/**
 * Appends a key event to the board's own log under the head lock, and answers
 * its index. Whoever brought the note: its sender, a relay, or another log.
 */
export async function appendKeyStep(
  turn: Turn,
  step: KeyStep,
): Promise<number> {
  const { agent, seq } = step.event;
  const index = turn.append(
    { type: 'key', at: turn.at, agent, seq, embedded: newest(step).note },
    { agentId: agent },
  );
  await storeKeyStep(turn.tx, OWN_LOG, index, turn.at, step);
  return index;
}
