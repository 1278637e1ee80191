import { readKeyNote } from '../../protocol/entry.js';
import type { KeyChain } from '../../protocol/key.js';
import { type ChainEvent, chainStatus } from '../../protocol/key-chain.js';
import type { Sql } from '../db/sql.js';

/** What one primary-key read tells of an agent's key in a log. */
export type KeyState = {
  agent: string;
  status: KeyChain['status'];
  /** Seq of the current key: `key_seq`. */
  seq: number;
  publicKey: Buffer;
  /** When the log took the first event, in ms. */
  registeredAt: number;
};

type StateRow = {
  status: KeyState['status'];
  key_seq: number;
  public_key: Buffer;
  registered_at: number;
};

/**
 * The current state of an agent's key in a log, null where the log knows no
 * such agent. Under the head lock it is final for what that lock decides.
 */
export async function readKeyState(
  sql: Sql,
  originId: number,
  agent: string,
): Promise<KeyState | null> {
  const [row] = await sql.query<StateRow>(
    `SELECT status, key_seq, public_key, registered_at FROM agent_key
     WHERE origin_id = $1 AND agent_id = $2`,
    [originId, agent],
  );
  if (row === undefined) return null;
  return {
    agent,
    status: row.status,
    seq: row.key_seq,
    publicKey: row.public_key,
    registeredAt: row.registered_at,
  };
}

/** One key event of a log: its entry's index, and the hash of its text. */
export type StoredKeyEvent = {
  index: number;
  note: string;
  hash: Buffer;
  /** A second event of a known seq, which ended the agent. */
  conflict: boolean;
};

/** The key events of an agent in a log, in the log's order. */
export async function readKeyEvents(
  sql: Sql,
  originId: number,
  agent: string,
): Promise<StoredKeyEvent[]> {
  return await sql.query<StoredKeyEvent>(
    `SELECT idx AS index, note, hash, conflict FROM agent_key_event
     WHERE origin_id = $1 AND agent_id = $2 ORDER BY idx`,
    [originId, agent],
  );
}

/**
 * The chain that stored events lead to, null without any. Their signatures
 * were verified when their entries were appended and are not looked at again.
 * An Error where the store is damaged, never a wrong chain.
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

/** `readKeyEvents` and `chainOf` in one, for whoever needs only the chain. */
export async function loadKeyChain(
  sql: Sql,
  originId: number,
  agent: string,
): Promise<KeyChain | null> {
  return chainOf(await readKeyEvents(sql, originId, agent));
}
