import { currentSeq, type KeyStep } from '../../../protocol/key.js';
import type { Tx } from '../../../server/db/sql.js';
import type { JudgedStep } from '../verify/judged.js';
import { bytea } from './store-log.js';

function newest({ kind, chain }: KeyStep) {
  const event =
    kind === 'conflict' ? chain.conflicts.at(-1) : chain.events.at(-1);
  const head = chain.events.at(-1);
  if (event === undefined || head === undefined) throw new Error('no event');
  return { event, head };
}

/**
 * Stores the key events of a page: each event, and per agent the state that
 * its last one led to.
 */
export async function storeKeySteps(
  tx: Tx,
  originId: number,
  steps: readonly JudgedStep[],
): Promise<void> {
  if (steps.length === 0) return;
  const parts = steps.map(({ step }) => newest(step));
  await tx.query(
    `INSERT INTO agent_key_event (origin_id, idx, agent_id, seq, conflict,
       hash, note)
     SELECT $1, e.* FROM unnest($2::bigint[], $3::text[], $4::smallint[],
       $5::boolean[], $6::bytea[], $7::text[]) AS e`,
    [
      originId,
      steps.map(({ index }) => index),
      steps.map(({ step }) => step.chain.agent),
      steps.map(({ step }) => step.event.seq),
      steps.map(({ step }) => step.kind === 'conflict'),
      parts.map(({ event }) => bytea(event.hash)),
      parts.map(({ event }) => event.note),
    ],
  );
  const first = new Map<string, number>();
  const last = new Map<string, JudgedStep>();
  for (const one of steps) {
    const { agent } = one.step.chain;
    if (!first.has(agent)) first.set(agent, one.at);
    last.set(agent, one);
  }
  const agents = [...last.entries()];
  const heads = agents.map(([, { step }]) => newest(step).head);
  await tx.query(
    `INSERT INTO agent_key AS k (origin_id, agent_id, status, key_seq,
       public_key, next, head_hash, registered_at, changed_at, changed_idx)
     SELECT $1, a.* FROM unnest($2::text[], $3::text[], $4::smallint[],
       $5::bytea[], $6::bytea[], $7::bytea[], $8::bigint[], $9::bigint[],
       $10::bigint[]) AS a
     ON CONFLICT (origin_id, agent_id) DO UPDATE SET
       status = excluded.status, key_seq = excluded.key_seq,
       public_key = excluded.public_key, next = excluded.next,
       head_hash = excluded.head_hash, changed_at = excluded.changed_at,
       changed_idx = excluded.changed_idx`,
    [
      originId,
      agents.map(([agent]) => agent),
      agents.map(([, { step }]) => step.chain.status),
      agents.map(([, { step }]) => currentSeq(step.chain)),
      heads.map(({ event }) => bytea(event.key)),
      heads.map(({ event }) => bytea(event.next)),
      heads.map(({ hash }) => bytea(hash)),
      agents.map(([agent]) => first.get(agent) ?? 0),
      agents.map(([, { at }]) => at),
      agents.map(([, { index }]) => index),
    ],
  );
}
