import { type KeyChain, stepKeyChain } from '../../../protocol/key.js';
import type { Sql } from '../../../server/db/sql.js';
import { loadKeyChain } from '../../../server/ledger/key-state.js';
import type { Ledger } from '../../../server/ledger/ledger.js';
import { OWN_LOG } from '../../../server/ledger/nodes.js';
import { appendKeyStep } from '../../../server/ledger/record-key-step.js';
import type { JudgedStep } from './judged.js';

/**
 * Rotations, revocations and conflicts in a mirrored log prove themselves: of
 * agents registered here they are appended to the own log (spec/mesh.md §B2).
 * Runs before the page is stored, because what is appended twice is a repeat
 * and what is forgotten is lost.
 */
export async function adoptKeySteps(
  sql: Sql,
  ledger: Ledger,
  steps: readonly JudgedStep[],
): Promise<void> {
  const chains = new Map<string, KeyChain>();
  for (const { step } of steps) {
    if (step.kind === 'conflict' || step.event.op !== 'register') {
      chains.set(step.chain.agent, step.chain);
    }
  }
  if (chains.size === 0) return;
  const rows = await sql.query<{ agent_id: string }>(
    `SELECT agent_id FROM agent_key
     WHERE origin_id = ${OWN_LOG} AND agent_id = ANY($1::text[])`,
    [[...chains.keys()]],
  );
  for (const { agent_id: agent } of rows) {
    const chain = chains.get(agent);
    if (chain !== undefined) await adoptChain(ledger, agent, chain);
  }
}

/** Steps through all that the other log knows; what is known here repeats. */
async function adoptChain(
  ledger: Ledger,
  agent: string,
  { events, conflicts }: KeyChain,
): Promise<void> {
  await ledger.append(async (turn) => {
    let own = await loadKeyChain(turn.tx, OWN_LOG, agent);
    for (const { note } of [...events, ...conflicts]) {
      const stepped = stepKeyChain(own, note);
      if (!stepped.ok || stepped.value.kind === 'repeat') continue;
      own = stepped.value.chain;
      await appendKeyStep(turn, stepped.value);
    }
    return () => undefined;
  });
}
