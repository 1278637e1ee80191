// By hand: INSERT … SELECT.
import type { Tx } from '../../server/db/sql.js';

export async function copyKeys(
  tx: Tx,
  from: number,
  to: number,
): Promise<void> {
  await tx.query(
    `WITH events AS (
       INSERT INTO agent_key_event (origin_id, idx, agent_id, seq, conflict,
         hash, note)
       SELECT $2, idx, agent_id, seq, conflict, hash, note
       FROM agent_key_event WHERE origin_id = $1
     )
     INSERT INTO agent_key (origin_id, agent_id, status, key_seq, public_key,
       next, head_hash, registered_at, changed_at, changed_idx)
     SELECT $2, agent_id, status, key_seq, public_key, next, head_hash,
       registered_at, changed_at, changed_idx
     FROM agent_key WHERE origin_id = $1`,
    [from, to],
  );
}
