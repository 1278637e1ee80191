import { Any } from 'typeorm';
import { type KeyChain, stepKeyChain } from '../../../protocol/key.js';
import { checksOf, fixedKey } from '../../../server/db/budgets.js';
import { takeAll } from '../../../server/db/budgets.sql.js';
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
import type { Limits } from '../../../server/limits.js';

/** Absent: unknown. */
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

/** Source, and limit of steps. */
type Adoption = { ledger: Ledger; limits: Limits; originId: number };

/**
 * Appends proven rotations, revocations and conflicts of local agents to the
 * own log (spec/mesh.md §B2.4). Before the page is stored: a repeat is
 * harmless, a lost step is not.
 */
export async function adoptKeySteps(
  { manager }: Sql,
  steps: readonly PlacedStep[],
  adoption: Adoption,
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
    if (chain !== undefined) await adoptChain(chain, adoption);
  }
}

const WAITING_AT_ONCE = 500;

/** Rotations that had to wait; returns how many keys are still ahead. */
export async function adoptWaiting(
  sql: Sql,
  adoption: Adoption,
): Promise<number> {
  const { originId } = adoption;
  const ahead = await sql.manager
    .createQueryBuilder(AgentKey, 'theirs')
    .select('theirs.agentId', 'agent')
    .innerJoin(
      AgentKey,
      'own',
      'own.originId = :own AND own.agentId = theirs.agentId AND own.keySeq < theirs.keySeq',
      { own: OWN_LOG },
    )
    .where({ originId })
    .andWhere("own.status = 'active'")
    // The longest waiting first.
    .orderBy('theirs.changedAt')
    .addOrderBy('theirs.agentId')
    .limit(WAITING_AT_ONCE)
    .getRawMany<{ agent: string }>();
  const agents = ahead.map(({ agent }) => agent);
  let waiting = 0;
  for (const chain of (await readChains(sql, originId, agents)).values()) {
    if (!(await adoptChain(chain, adoption))) waiting += 1;
  }
  return waiting;
}

/** Limited per day, except for ends of keys. True: nothing waits. */
async function adoptChain(
  { agent, status, events, conflicts }: KeyChain,
  { ledger, limits, originId }: Adoption,
): Promise<boolean> {
  const counter = fixedKey(`${originId} ${agent}`);
  const checks = checksOf(counter, 'key_rotations_per_agent_day');
  return await ledger.append(async (context) => {
    const { tx, now } = context;
    let own = await loadKeyChain(tx, OWN_LOG, agent);
    for (const { note } of [...events, ...conflicts]) {
      const stepped = stepKeyChain(own, note);
      if (!stepped.ok || stepped.value.kind === 'repeat') continue;
      if (status === 'active') {
        const { blocked } = await takeAll(tx, { checks, limits, now });
        if (blocked !== null) return () => false;
      }
      own = stepped.value.chain;
      await appendKeyStep(context, stepped.value);
    }
    return () => true;
  });
}
