import type { KeyEntry } from '../../../protocol/entry.js';
import { chainVkey, currentSeq, stepKeyChain } from '../../../protocol/key.js';
import type { Vkey } from '../../../protocol/vkey.js';
import { addFault, type Faults } from './faults.js';
import type { BundledKeys } from './lines.js';

/** `vkey` signs after entry `index`; null: nobody. */
type KeyFrom = { index: number; vkey: Vkey | null };

/** By place in the log (spec/mesh.md §B2). */
export type KeyTable = Map<string, KeyFrom[]>;

export type LogKeys = { table: KeyTable; agents: Map<string, BundledKeys> };

export function noKeys(): LogKeys {
  return { table: new Map(), agents: new Map() };
}

/** One that does not step its chain is a fault. */
export function takeKeyEntry(
  { table, agents }: LogKeys,
  entry: KeyEntry,
  index: number,
  faults: Faults,
): void {
  const known = agents.get(entry.agent);
  const step = stepKeyChain(known?.chain ?? null, entry.embedded);
  if (!step.ok || step.value.kind === 'repeat') {
    const why = step.ok ? 'is there twice' : `is refused (${step.reason})`;
    addFault(faults, 'keys', index, `a key event ${why}`);
    return;
  }
  const notes = [...(known?.notes ?? []), entry.embedded];
  const indexes = [...(known?.indexes ?? []), index];
  const { chain } = step.value;
  agents.set(entry.agent, { chain, notes, indexes });
  const signs = chain.status === 'active';
  const vkey = signs ? chainVkey(chain, currentSeq(chain)) : null;
  const from = { index, vkey };
  table.set(entry.agent, [...(table.get(entry.agent) ?? []), from]);
}

export function keyAt(
  table: KeyTable,
  agent: string,
  index: number,
): Vkey | null {
  const last = table.get(agent)?.findLast((from) => from.index < index);
  return last?.vkey ?? null;
}
