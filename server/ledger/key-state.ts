import { readKeyNote } from '../../protocol/entry.js';
import { currentSeq, type KeyChain, type KeyStep } from '../../protocol/key.js';
import { type ChainEvent, chainStatus } from '../../protocol/key-chain.js';
import { AgentKey, AgentKeyEvent } from '../db/entities/agent-key.js';
import type { Sql, Tx } from '../db/sql.js';
import type { AppendContext } from './append.js';
import { OWN_LOG } from './own-log.sql.js';

export type KeyState = {
  agent: string;
  status: KeyChain['status'];
  seq: number;
  publicKey: Buffer;
  /** In ms, by the log's time. */
  registeredAt: number;
};

/** Null for unknown agents. Final under the head lock. */
export async function readKeyState(
  { manager }: Sql,
  originId: number,
  agentId: string,
): Promise<KeyState | null> {
  const row = await manager.findOneBy(AgentKey, { originId, agentId });
  if (row === null) return null;
  const { status, keySeq: seq, publicKey, registeredAt } = row;
  return { agent: agentId, status, seq, publicKey, registeredAt };
}

/** `conflict`: a second event of a known seq, which ended the agent. */
export type StoredKeyEvent = { index: number } & Pick<
  AgentKeyEvent,
  'note' | 'hash' | 'conflict'
>;

export async function readKeyEvents(
  { manager }: Sql,
  originId: number,
  agentId: string,
): Promise<StoredKeyEvent[]> {
  const rows = await manager.find(AgentKeyEvent, {
    where: { originId, agentId },
    order: { idx: 'ASC' },
  });
  return rows.map(({ idx: index, ...row }) => ({ index, ...row }));
}

/**
 * Signatures were verified on append and are not checked again.
 * @throws Error where the store is damaged
 */
export function chainOf(stored: readonly StoredKeyEvent[]): KeyChain | null {
  const events: ChainEvent[] = [];
  const conflicts: ChainEvent[] = [];
  for (const { note, hash, conflict } of stored) {
    const read = readKeyNote(note);
    if (!read.ok) throw new Error(`a stored key note is a ${read.reason}`);
    const { event } = read.value;
    if (conflict) conflicts.push({ event, hash, note });
    else if (events.push({ event, hash, note }) !== event.seq + 1) {
      throw new Error(`the stored key events of ${event.agent} have a gap`);
    }
  }
  const agent = events[0]?.event.agent;
  if (agent === undefined) return null;
  return { agent, status: chainStatus(events, conflicts), events, conflicts };
}

export async function loadKeyChain(
  sql: Sql,
  originId: number,
  agent: string,
): Promise<KeyChain | null> {
  return chainOf(await readKeyEvents(sql, originId, agent));
}

function newest({ kind, chain }: KeyStep): ChainEvent {
  const { events, conflicts } = chain;
  const event = kind === 'conflict' ? conflicts.at(-1) : events.at(-1);
  if (event === undefined) throw new Error('a key step without its event');
  return event;
}

/** Index and time (ms) of the step's entry. */
export type PlacedStep = { index: number; at: number; step: KeyStep };

/** Steps that change nothing (`repeat`) MUST NOT come here. */
export async function storeKeySteps(
  { manager }: Tx,
  originId: number,
  steps: readonly PlacedStep[],
): Promise<void> {
  if (steps.length === 0) return;
  const events = steps.map(({ index, step }) => {
    const { hash, note } = newest(step);
    return {
      originId,
      idx: index,
      agentId: step.chain.agent,
      seq: step.event.seq,
      conflict: step.kind === 'conflict',
      hash: Buffer.from(hash),
      note,
    };
  });
  await manager.insert(AgentKeyEvent, events);
  const states = new Map<string, AgentKey>();
  for (const { index, at, step } of steps) {
    const { chain } = step;
    const head = chain.events.at(-1);
    if (head === undefined) throw new Error('a key chain without events');
    const { key, next } = head.event;
    states.set(chain.agent, {
      originId,
      agentId: chain.agent,
      status: chain.status,
      keySeq: currentSeq(chain),
      publicKey: Buffer.from(key),
      next: next === null ? null : Buffer.from(next),
      headHash: Buffer.from(head.hash),
      registeredAt: states.get(chain.agent)?.registeredAt ?? at,
      changedAt: at,
      changedIdx: index,
    });
  }
  await manager
    .createQueryBuilder()
    .insert()
    .into(AgentKey)
    .values([...states.values()])
    .orUpdate(CHANGED, ['origin_id', 'agent_id'])
    .updateEntity(false)
    .execute();
}

const CHANGED = [
  'status',
  'key_seq',
  'public_key',
  'next',
  'head_hash',
  'changed_at',
  'changed_idx',
];

/** Under the head lock; returns the index. The note may come from anybody. */
export async function appendKeyStep(
  context: AppendContext,
  step: KeyStep,
): Promise<number> {
  const { tx, at } = context;
  const { agent, seq } = step.event;
  const index = context.append(
    { type: 'key', at, agent, seq, embedded: newest(step).note },
    { agentId: agent },
  );
  await storeKeySteps(tx, OWN_LOG, [{ index, at, step }]);
  return index;
}
