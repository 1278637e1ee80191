import { toBase64 } from '../../protocol/bytes.js';
import { cosign, openCheckpoint } from '../../protocol/checkpoint.js';
import {
  isLineOf,
  type NoteSignature,
  type Signer,
  signatureLine,
} from '../../protocol/note.js';
import { formatVkey, parseVkey } from '../../protocol/vkey.js';
import type { Database } from '../../server/db/sql.js';
import type { DurablePage } from '../pull/hooks.js';

/** The log's own line of a checkpoint note, null where it has none. */
export function logLineOf(
  checkpoint: string,
  logVkey: string,
): { body: string; line: NoteSignature } | null {
  const vkey = parseVkey(logVkey);
  if (!vkey.ok) return null;
  const opened = openCheckpoint(checkpoint, vkey.value);
  if (!opened.ok) return null;
  const { text, signatures } = opened.value.note;
  const line = signatures.find((one) => isLineOf(one, vkey.value));
  return line === undefined ? null : { body: text, line };
}

/**
 * Signs that a peer's log is durable here up to a size (spec/mesh.md §A1, §B7):
 * the state is committed before the line exists, and the size never shrinks.
 * Null when a larger or another state was signed, or the peer is not active.
 */
export async function cosignPage(
  db: Database,
  page: DurablePage,
  mirror: Signer,
  now: number,
): Promise<{ body: string; log: string; cosignature: string } | null> {
  const signed = logLineOf(page.checkpoint, page.logVkey);
  if (signed === null) return null;
  const [state] = await db.query<{ root: Buffer; size: number }>(
    `INSERT INTO mirror_state AS m (origin_id, size, root, note, at)
     SELECT origin_id, $2, $3, $4, $5 FROM peer
     WHERE origin_id = $1 AND status = 'active'
     ON CONFLICT (origin_id) DO UPDATE
       SET size = $2, root = $3, note = $4, at = $5
       WHERE m.size < $2 OR (m.size = $2 AND m.root = $3)
     RETURNING root, size`,
    [page.originId, page.size, Buffer.from(page.root), page.checkpoint, now],
  );
  if (state === undefined) return null;
  if (toBase64(state.root) !== toBase64(page.root)) return null;
  const line = signatureLine(
    cosign(signed.body, Math.floor(now / 1000), mirror),
  );
  await db.query(
    `INSERT INTO log_cosignature (origin_id, size, cosigner, vkey, line, at)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (origin_id, size, cosigner) DO UPDATE
       SET vkey = excluded.vkey, line = excluded.line, at = excluded.at`,
    [
      page.originId,
      page.size,
      mirror.vkey.name,
      formatVkey(mirror.vkey),
      line,
      now,
    ],
  );
  return {
    body: signed.body,
    log: signatureLine(signed.line),
    cosignature: line,
  };
}
