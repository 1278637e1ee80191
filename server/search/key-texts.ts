import { IsNull } from 'typeorm';
import { Message } from '../db/entities/message.js';
import type { Database } from '../db/sql.js';
import { likenessOf } from './likeness.js';

const BATCH = 200;

/** For messages of older releases; returns how many. */
export async function keyTexts(
  db: Database,
  goesOn: () => boolean,
): Promise<number> {
  let total = 0;
  while (goesOn()) {
    const rows = await db.manager.find(Message, {
      select: { id: true, body: true },
      where: { textKey: IsNull(), removedAt: IsNull() },
      order: { id: 'ASC' },
      take: BATCH,
    });
    if (rows.length === 0) break;
    await db.transaction(async (tx) => {
      for (const { id, body } of rows) {
        const shown = { id, removedAt: IsNull() };
        await tx.manager.update(Message, shown, likenessOf(body ?? ''));
      }
    });
    total += rows.length;
    if (rows.length < BATCH) break;
  }
  return total;
}
