import type { Context } from '../../context.js';
import { SEALED_MS } from '../../moderation/removed-content.js';

/** Few at a time: decisions and publications wait for the head lock. */
const BATCH = 100;

/**
 * Destroys the texts of messages that were removed 30 days ago (spec/mesh.md
 * §B4, Removal), under the head lock, where a reinstatement could meet it. The
 * decision that removed them is the one that erases them.
 */
export async function eraseOldSeals(
  ctx: Pick<Context, 'ledger' | 'guard'>,
  goesOn: () => boolean,
): Promise<number> {
  let total = 0;
  // The log takes nothing just now, which its operator has been told.
  if (ctx.guard.closed !== null) return total;
  while (goesOn()) {
    const erased = await ctx.ledger.append(async ({ tx, now }) => {
      const due = await tx.query<{ message_id: number }>(
        `SELECT message_id FROM sealed_content WHERE sealed_at <= $1
         ORDER BY sealed_at LIMIT ${BATCH}`,
        [now - SEALED_MS],
      );
      const ids = due.map(({ message_id: id }) => id);
      await tx.query(
        'UPDATE message SET erased_by = removed_by WHERE id = ANY($1::bigint[])',
        [ids],
      );
      await tx.query(
        'DELETE FROM sealed_content WHERE message_id = ANY($1::bigint[])',
        [ids],
      );
      return () => ids.length;
    });
    total += erased;
    if (erased < BATCH) break;
  }
  return total;
}
