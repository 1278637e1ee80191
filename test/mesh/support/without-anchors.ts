import type { TestBoard } from '../../support/board.js';

/** For tests that count entries: an anchor comes at a time of its own. */
export async function withoutAnchors({ board }: TestBoard): Promise<void> {
  await board.context.writes.query(
    `ALTER TABLE peer ALTER COLUMN anchored_at
     SET DEFAULT ${Number.MAX_SAFE_INTEGER}`,
  );
  await board.context.writes.query('UPDATE peer SET anchored_at = $1', [
    Number.MAX_SAFE_INTEGER,
  ]);
}
