import { type KeyChain, stepKeyChain } from '../../protocol/key.js';
import type { Signer } from '../../protocol/note.js';
import type { Clock } from '../../server/clock.js';
import type { Tx } from '../../server/db/sql.js';
import { type Job, runBatch } from '../../server/ledger/batch.js';
import { readKeyEvents } from '../../server/ledger/key-state.js';
import { appendKeyStep } from '../../server/ledger/record-key-step.js';

const AT_ONCE = 200;

/**
 * Appends the keys of a closed generation's agents to the new one, in the
 * order in which they registered: key events name no board and prove
 * themselves (spec/mesh.md §B2), and who checks the new log has no other to
 * check its posts by. Answers how many agents there are.
 */
export async function carryKeys(
  tx: Tx,
  closedOriginId: number,
  clock: Clock,
  logKey: Signer,
): Promise<number> {
  const agents = await tx.query<{ agent_id: string }>(
    `SELECT agent_id FROM agent_key_event WHERE origin_id = $1
     GROUP BY agent_id ORDER BY min(idx)`,
    [closedOriginId],
  );
  const jobs = agents.map(({ agent_id }) => carry(closedOriginId, agent_id));
  for (let at = 0; at < jobs.length; at += AT_ONCE) {
    await runBatch(tx, jobs.slice(at, at + AT_ONCE), clock, logKey, '');
  }
  return agents.length;
}

function carry(closedOriginId: number, agent: string): Job<unknown> {
  return async (turn) => {
    const events = await readKeyEvents(turn.tx, closedOriginId, agent);
    let chain: KeyChain | null = null;
    for (const { note } of events) {
      const stepped = stepKeyChain(chain, note);
      if (!stepped.ok || stepped.value.kind === 'repeat') {
        throw new Error(`a stored key event of ${agent} does not stand`);
      }
      chain = stepped.value.chain;
      await appendKeyStep(turn, stepped.value);
    }
    return () => undefined;
  };
}
