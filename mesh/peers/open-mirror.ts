import { emptyFrontier, encodeFrontier } from '../../protocol/frontier.js';
import type { Tx } from '../../server/db/sql.js';

/**
 * Makes a confirmed peer's log known, empty, with its partitions. Idempotent:
 * what is mirrored already stays.
 */
export async function openMirror(tx: Tx, originId: number): Promise<void> {
  await tx.query('SELECT mirror_open($1)', [originId]);
  await tx.query(
    `INSERT INTO log_state (origin_id, board, origin, log_vkey, identity, size,
       frontier, last_message_id, last_at, checkpoint)
     SELECT origin_id, name, origin, log_vkey, identity, 0, $2, 0, 0, ''
     FROM peer WHERE origin_id = $1
     ON CONFLICT (origin_id) DO NOTHING`,
    [originId, Buffer.from(encodeFrontier(emptyFrontier()))],
  );
}
