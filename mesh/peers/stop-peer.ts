import { conflict, type DeskParts, requirePeer } from './desk-parts.js';
import { openMirror } from './open-mirror.js';

/** No traffic, data kept. A quarantined peer stays so when it is resumed. */
export async function pausePeer(
  parts: DeskParts,
  board: string,
): Promise<void> {
  const peer = await requirePeer(parts, board);
  const paused = await parts.db.query(
    `UPDATE peer SET status = 'paused', status_at = $2,
       status_reason = CASE WHEN status = 'quarantined' THEN status_reason END
     WHERE origin_id = $1 AND status IN ('active', 'quarantined')
     RETURNING origin_id`,
    [peer.origin_id, parts.clock.now()],
  );
  if (paused.length === 0) {
    throw conflict(
      `${peer.name} is ${peer.status}; there is nothing to pause.`,
    );
  }
}

/**
 * Begins again with a peer that was paused, quarantined, degraded or blocked.
 * Equivocation is final for its log (spec/mesh.md §B8): with evidence the peer
 * is quarantined, whatever it was.
 */
export async function resumePeer(
  parts: DeskParts,
  board: string,
): Promise<void> {
  const peer = await requirePeer(parts, board);
  if (peer.confirmed_at === null) {
    throw conflict(
      `${peer.name} is not confirmed yet; "peer confirm" does that.`,
    );
  }
  if (peer.evidence.length > 0 && peer.status === 'quarantined') {
    throw conflict(
      `${peer.name} signed two histories of ${peer.origin}; that is final for this log, and only a new generation of it can be confirmed.`,
    );
  }
  const final = peer.evidence.length > 0;
  await parts.db.transaction(async (tx) => {
    await tx.query(
      `UPDATE peer SET status = $2, status_reason = $3, status_at = $4,
         degraded_until = NULL, degraded_reason = NULL,
         rolled_back_since = NULL, unresolved_since = NULL, failures = 0,
         retry_at = NULL
       WHERE origin_id = $1`,
      [
        peer.origin_id,
        final ? 'quarantined' : 'active',
        final ? 'equivocation' : null,
        parts.clock.now(),
      ],
    );
    await openMirror(tx, peer.origin_id);
  });
}

/** Ends all traffic with a peer and erases its mirror (spec/mesh.md §B8). */
export async function blockPeer(
  parts: DeskParts,
  board: string,
  reason?: string,
): Promise<void> {
  const peer = await requirePeer(parts, board);
  await parts.db.transaction(async (tx) => {
    await tx.query(
      `UPDATE peer SET status = 'blocked', status_at = $2, status_reason = $3,
         document = NULL, remote_checkpoint = NULL, pending_identity = NULL,
         remote_size = NULL, invalid_entries = 0, withheld_contents = 0,
         apply_ms = '{}'
       WHERE origin_id = $1`,
      [peer.origin_id, parts.clock.now(), reason?.slice(0, 300) ?? null],
    );
    // With the former generations of its log, which go by its name.
    const logs = await tx.query<{ origin_id: number }>(
      `SELECT origin_id FROM log_state
       WHERE board = $1 AND origin_id > 0 AND closed_at IS NULL
       UNION SELECT $2`,
      [peer.name, peer.origin_id],
    );
    for (const { origin_id: originId } of logs) {
      await tx.query('SELECT mirror_drop($1)', [originId]);
    }
  });
}
