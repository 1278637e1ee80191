import { parseLogOrigin } from '../../protocol/board-name.js';
import { emptyFrontier, encodeFrontier } from '../../protocol/frontier.js';
import { formatVkey } from '../../protocol/vkey.js';
import type { Tx } from '../db/sql.js';
import type { BoardIdentity } from './record-identity.js';

/**
 * Makes the row of the own log, empty and without a signature: its first entry
 * brings the first checkpoint. A later generation begins after the IDs and
 * times of the one before; `lastAt` is in ms.
 */
export async function beginLog(
  tx: Tx,
  { board, origin, keys }: BoardIdentity,
  { lastMessageId, lastAt } = { lastMessageId: 0, lastAt: 0 },
): Promise<void> {
  await tx.query(
    `INSERT INTO log_state (origin_id, board, origin, generation, log_vkey,
       identity, size, frontier, last_message_id, last_at, checkpoint)
     VALUES (0, $1, $2, $3, $4, '', 0, $5, $6, $7, '')`,
    [
      board,
      origin,
      parseLogOrigin(origin)?.generation ?? 1,
      formatVkey(keys.log.vkey),
      Buffer.from(encodeFrontier(emptyFrontier())),
      lastMessageId,
      lastAt,
    ],
  );
}
