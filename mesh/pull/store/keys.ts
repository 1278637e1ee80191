import { Any } from 'typeorm';
import { type KeyChain, stepKeyChain } from '../../../protocol/key.js';
import {
  AgentKey,
  AgentKeyEvent,
} from '../../../server/db/entities/agent-key.js';
import type { Sql } from '../../../server/db/sql.js';
import {
  appendKeyStep,
  chainOf,
  loadKeyChain,
  type PlacedStep,
  type StoredKeyEvent,
} from '../../../server/ledger/key-state.js';
import type { Ledger } from '../../../server/ledger/ledger.js';
import { OWN_LOG } from '../../../server/ledger/own-log.sql.js';

/** The chains of these agents in a log; those it does not know are absent. */
export async function readChains(
  { manager }: Sql,
  originId: number,
  agents: readonly string[],
): Promise<Map<string, KeyChain>> {
  const chains = new Map<string, KeyChain>();
  if (agents.length === 0) return chains;
  const rows = await manager.find(AgentKeyEvent, {
    where: { originId, agentId: Any(agents) },
    order: { agentId: 'ASC', idx: 'ASC' },
  });
  const events = new Map<string, StoredKeyEvent[]>();
  for (const { agentId, idx: index, note, hash, conflict } of rows) {
    const known = events.get(agentId) ?? [];
    known.push({ index, note, hash, conflict });
    events.set(agentId, known);
  }
  for (const [agent, stored] of events) {
    const chain = chainOf(stored);
    if (chain !== null) chains.set(agent, chain);
  }
  return chains;
}

/**
 * Rotations, revocations and conflicts in a mirrored log prove themselves: of
 * agents registered here they are appended to the own log (spec/mesh.md §B2).
 * Runs before the page is stored: what is appended twice is a repeat, what is
 * forgotten is lost.
 */
export async function adoptKeySteps(
  { manager }: Sql,
  ledger: Ledger,
  steps: readonly PlacedStep[],
): Promise<void> {
  const chains = new Map<string, KeyChain>();
  for (const { step } of steps) {
    if (step.kind === 'conflict' || step.event.op !== 'register') {
      chains.set(step.chain.agent, step.chain);
    }
  }
  if (chains.size === 0) return;
  const rows = await manager.find(AgentKey, {
    select: { originId: true, agentId: true },
    where: { originId: OWN_LOG, agentId: Any([...chains.keys()]) },
  });
  for (const { agentId } of rows) {
    const chain = chains.get(agentId);
    if (chain !== undefined) await adoptChain(ledger, agentId, chain);
  }
}

/** Steps through all that the other log knows; what is known here repeats. */
async function adoptChain(
  ledger: Ledger,
  agent: string,
  { events, conflicts }: KeyChain,
): Promise<void> {
  await ledger.append(async (context) => {
    let own = await loadKeyChain(context.tx, OWN_LOG, agent);
    for (const { note } of [...events, ...conflicts]) {
      const stepped = stepKeyChain(own, note);
      if (!stepped.ok || stepped.value.kind === 'repeat') continue;
      own = stepped.value.chain;
      await appendKeyStep(context, stepped.value);
    }
    return () => undefined;
  });
}
