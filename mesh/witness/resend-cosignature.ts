import { signatureLine } from '../../protocol/note.js';
import type { Cosigner } from './cosigner.js';
import type { KnownLog } from './known-logs.js';
import type { MeshView } from './mesh-view.js';
import { logLineOf } from './own-cosignature.js';
import type { WitnessParts } from './witness-parts.js';

/** Sends our newest cosignature again where its board shows an older one. */
export async function resendCosignature(
  { writes, keys, board }: Pick<WitnessParts, 'writes' | 'keys' | 'board'>,
  cosigner: Cosigner,
  log: KnownLog,
  view: MeshView,
): Promise<void> {
  const [newest] = await writes.query<{
    size: number;
    line: string;
    note: string;
  }>(
    `SELECT c.size, c.line, k.note FROM log_cosignature c
       JOIN log_checkpoint k ON k.origin_id = c.origin_id AND k.size = c.size
     WHERE c.origin_id = $1 AND c.cosigner = $2
     ORDER BY c.size DESC LIMIT 1`,
    [log.originId, keys.mirror.vkey.name],
  );
  const acked = view.acked.find(({ name }) => name === board.name)?.size;
  if (newest === undefined || (acked ?? 0) >= newest.size) return;
  const head = logLineOf(newest.note, log.logVkey);
  if (head === null) return;
  await cosigner.send(log.originId, {
    body: head.body,
    log: signatureLine(head.line),
    cosignature: newest.line,
  });
}
