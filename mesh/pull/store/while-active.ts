import { type Database, together } from '../../../server/db/sql.js';

/** The peer was paused, quarantined or blocked: nothing more is stored. */
export class PeerStopped extends Error {
  override readonly name = 'PeerStopped';
}

/**
 * A database whose transactions end with {@link PeerStopped} unless the peer
 * is active, and hold it so until they commit: what is under way when a peer
 * is paused is stored before the pause is acknowledged, or never (spec/mesh.md
 * §B8).
 */
export function whileActive(db: Database, originId: number): Database {
  return {
    query: (text, values) => db.query(text, values),
    withClient: (work) => db.withClient(work),
    transaction: (work) =>
      db.transaction(async (tx) => {
        const active = tx.query(
          `SELECT 1 FROM peer WHERE origin_id = $1 AND status = 'active'
           FOR NO KEY UPDATE`,
          [originId],
        );
        // The work's first statements follow on the wire, and wait behind it.
        const [, done] = await together([
          active.then((rows) => {
            if (rows.length === 0) throw new PeerStopped();
          }),
          work(tx),
        ]);
        return done;
      }),
  };
}
