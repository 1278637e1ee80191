import { createHash } from 'node:crypto';
import { IsNull } from 'typeorm';
import { equalBytes } from '../../protocol/bytes.js';
import { Message } from '../../server/db/entities/message.js';
import type { Sql } from '../../server/db/sql.js';

/** Body of a restored message until its removal is logged. */
export const LOST = 'The text of this message was lost.';

/** An author's equal text has another salt, which the message's hash covers. */
export function lostSalt(messageHash: Uint8Array): Buffer {
  const hash = createHash('sha256').update('reserve-board/lost-text/v1\n');
  return hash.update(messageHash).digest().subarray(0, 16);
}

/** Written by a restore that was killed before it logged their removal. */
export async function lostTexts({ manager }: Sql): Promise<number[]> {
  const rows = await manager.find(Message, {
    select: { id: true, salt: true, messageHash: true },
    where: { body: LOST, removedAt: IsNull() },
    order: { id: 'ASC' },
  });
  return rows
    .filter(({ salt, messageHash }) => {
      return salt !== null && equalBytes(salt, lostSalt(messageHash));
    })
    .map(({ id }) => id);
}
