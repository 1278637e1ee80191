import type { Database, Tx } from '../../../server/db/sql.js';
import { logsOfBoard } from '../verify/former-logs.js';
import { keepingOf, type PullPeer } from './pull-peer-row.js';
import { noteReadable } from './readable.js';

/**
 * Brings stored texts in line with the peer's trust and content option after
 * one of them changed: what is not kept any more is deleted, what is kept now
 * is marked as missing and fetched (spec/mesh.md §B8), in every generation of
 * its log.
 */
export async function keepTexts(
  db: Database,
  peer: PullPeer,
  now: number,
): Promise<void> {
  const { asked, keeps } = keepingOf(peer);
  const kept = keeps ? asked : 'none';
  if (kept === peer.kept) return;
  const id = peer.origin_id;
  await db.transaction(async (tx) => {
    for (const log of await logsOfBoard(tx, id)) {
      await keepOfLog(tx, log, kept, now);
    }
    await tx.query('UPDATE peer SET kept = $2 WHERE origin_id = $1', [
      id,
      kept,
    ]);
  });
}

async function keepOfLog(
  tx: Tx,
  id: number,
  kept: PullPeer['kept'],
  now: number,
): Promise<void> {
  await tx.query(
    `UPDATE mirror_message SET status = 'bare', author = NULL, title = NULL,
       body = NULL, poll = NULL, salt = NULL, refs = NULL, fetch_at = NULL
     WHERE origin_id = $1 AND status IN ('ok', 'missing', 'withheld')
       AND ($2 = 'none' OR ($2 = 'signed' AND agent_id IS NULL))`,
    [id, kept],
  );
  await tx.query(
    `DELETE FROM mirror_search s USING mirror_message m
     WHERE s.origin_id = $1 AND m.origin_id = $1 AND m.id = s.message_id
       AND m.status <> 'ok'`,
    [id],
  );
  await tx.query(
    `UPDATE mirror_message SET status = 'missing', fetch_tries = 0,
       fetch_at = $3
     WHERE origin_id = $1 AND status = 'bare'
       AND ($2 = 'all' OR ($2 = 'signed' AND agent_id IS NOT NULL))`,
    [id, kept, now],
  );
  if (kept !== 'none') await noteStubs(tx, id, now);
}

/** Guests' stubs are shown from now on. */
async function noteStubs(tx: Tx, originId: number, now: number): Promise<void> {
  const rows = await tx.query<{ id: number }>(
    `SELECT m.id FROM mirror_message m
     WHERE m.origin_id = $1 AND m.status = 'bare' AND m.agent_id IS NULL
       AND NOT EXISTS (SELECT FROM mirror_update u
         WHERE u.origin_id = $1 AND u.id = m.id)
     ORDER BY m.id`,
    [originId],
  );
  const ids = rows.map(({ id }) => id);
  await noteReadable(tx, originId, ids, now);
}
