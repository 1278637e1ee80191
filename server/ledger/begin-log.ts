import { parseLogOrigin } from '../../protocol/board-name.js';
import { signCheckpoint } from '../../protocol/checkpoint.js';
import {
  emptyFrontier,
  encodeFrontier,
  frontierRoot,
} from '../../protocol/frontier.js';
import { formatVkey } from '../../protocol/vkey.js';
import type { Tx } from '../db/sql.js';
import type { BoardIdentity } from './record-identity.js';

/**
 * Makes the own log, empty. A later generation begins after the IDs and times
 * of the one before; `lastAt` is in ms.
 */
export async function beginLog(
  tx: Tx,
  { board, origin, keys }: BoardIdentity,
  { lastMessageId, lastAt } = { lastMessageId: 0, lastAt: 0 },
): Promise<void> {
  const frontier = emptyFrontier();
  const empty = { origin, size: 0, root: frontierRoot(frontier) };
  await tx.query(
    `INSERT INTO log_state (origin_id, board, origin, generation, log_vkey,
       identity, size, frontier, last_message_id, last_at, checkpoint)
     VALUES (0, $1, $2, $3, $4, '', 0, $5, $6, $7, $8)`,
    [
      board,
      origin,
      parseLogOrigin(origin)?.generation ?? 1,
      formatVkey(keys.log.vkey),
      Buffer.from(encodeFrontier(frontier)),
      lastMessageId,
      lastAt,
      signCheckpoint(empty, keys.log),
    ],
  );
}
