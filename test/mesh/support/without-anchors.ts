import type { TestBoard } from '../../support/board.js';

/**
 * Lets no anchor into the log of a board whose peers are all added: for tests
 * that count its entries, as an anchor comes at a time of its own.
 */
export async function withoutAnchors({ board }: TestBoard): Promise<void> {
  await board.context.writes.query('UPDATE peer SET anchored_at = $1', [
    Number.MAX_SAFE_INTEGER,
  ]);
}
