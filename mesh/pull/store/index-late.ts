import type { Database } from '../../../server/db/sql.js';
import { indexTexts } from './readable.js';

const AT_ONCE = 50;

type Row = { id: number; title: string | null; body: string };

/**
 * Makes the texts findable that came in large pages, from ids above `from` on. A backfill would wait
 * for its search index most of the time, so its texts are readable first.
 */
export async function indexLate(
  db: Database,
  originId: number,
  from: number,
  signal: AbortSignal,
): Promise<void> {
  let after = from;
  while (!signal.aborted) {
    const rows: Row[] = await db.query<Row>(
      `SELECT m.id, m.title, m.body FROM mirror_message m
       WHERE m.origin_id = $1 AND m.id > $2 AND m.status = 'ok'
         AND NOT EXISTS (SELECT FROM mirror_search s
           WHERE s.origin_id = $1 AND s.message_id = m.id)
       ORDER BY m.id LIMIT ${AT_ONCE}`,
      [originId, after],
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
    await db.transaction(async (tx) => {
      // Locked, because a text that goes must take its search row with it.
      const still = await tx.query<Row>(
        `SELECT id, title, body FROM mirror_message
         WHERE origin_id = $1 AND id = ANY($2::bigint[]) AND status = 'ok'
         FOR UPDATE`,
        [originId, rows.map(({ id }) => id)],
      );
      await indexTexts(
        tx,
        originId,
        still.map(({ id, title, body }) => ({
          id,
          content: title === null ? { body } : { title, body },
        })),
      );
    });
  }
}
