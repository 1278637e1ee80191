import { formatNote } from '../../protocol/note.js';
import { readLine } from './cosign-request.js';
import { logLineOf } from './own-cosignature.js';
import type { WitnessParts } from './witness-parts.js';

const HOUR_MS = 3_600_000;

type Due = {
  origin_id: number;
  log_vkey: string;
  size: number;
  note: string;
  line: string;
};

const DUE = `SELECT p.origin_id, p.log_vkey, c.size, k.note, c.line
  FROM peer p
  CROSS JOIN LATERAL (SELECT size, line FROM log_cosignature
    WHERE origin_id = p.origin_id AND cosigner = $1
    ORDER BY size DESC LIMIT 1) c
  JOIN log_checkpoint k ON k.origin_id = p.origin_id AND k.size = c.size
  WHERE p.status = 'active' AND c.size > p.anchored_size
    AND (p.anchored_at IS NULL OR p.anchored_at <= $2)
  ORDER BY p.origin_id`;

/**
 * Writes each grown peer's newest cosigned head into our own log, once an
 * hour: a history that a peer shows elsewhere has to agree with it
 * (spec/mesh.md §B4, §B8). Answers how many.
 */
export async function anchorPeers(
  parts: Pick<WitnessParts, 'writes' | 'ledger' | 'clock' | 'keys' | 'guard'>,
): Promise<number> {
  const { writes, ledger, clock, keys, guard } = parts;
  if (guard.closed !== null) return 0;
  const due = await writes.query<Due>(DUE, [
    keys.mirror.vkey.name,
    clock.now() - HOUR_MS,
  ]);
  for (const peer of due) {
    const head = logLineOf(peer.note, peer.log_vkey);
    const own = readLine(peer.line);
    if (head === null || own === null) continue;
    const embedded = formatNote({
      text: head.body,
      signatures: [head.line, own],
    });
    await ledger.append(async (turn) => {
      const taken = await turn.tx.query(
        `UPDATE peer SET anchored_size = $2, anchored_at = $3
         WHERE origin_id = $1 AND anchored_size < $2 RETURNING origin_id`,
        [peer.origin_id, peer.size, turn.now],
      );
      if (taken.length > 0) {
        turn.append({ type: 'anchor', at: turn.at, embedded });
      }
      return () => undefined;
    });
  }
  return due.length;
}
