import { fromBase64 } from '../../../protocol/bytes.js';
import {
  headFile,
  type KeptHead,
  readHeadFile,
  writeHeadFile,
} from '../../ledger/head-file.js';
import { BackupFault, type Manifest } from './manifest.js';

/** @throws BackupFault where `DATA_DIR` belongs to another log. */
async function keptHead(
  dataDir: string,
  { log }: Manifest,
): Promise<KeptHead | null> {
  const kept = await readHeadFile(dataDir);
  if (kept === null || kept.origin === log.origin) return kept;
  throw new BackupFault(
    `${headFile(dataDir)} belongs to the log ${kept.origin} and the backup to ${log.origin}; give the restored board a DATA_DIR of its own.`,
  );
}

/**
 * Notes in `DATA_DIR/log.head` that a backup was restored, the last thing
 * before it counts: the guard then takes no writes until a peer has answered,
 * unless `noPeers` (spec/mesh.md §B4). A head that is ahead of the backup
 * stays, so that what the backup lacks has to be pulled first. A note whose
 * restore failed after all only keeps an empty database closed.
 *
 * @throws BackupFault
 */
export async function noteRestore(
  dataDir: string,
  manifest: Manifest,
  { noPeers, now }: { noPeers: boolean; now: number },
): Promise<void> {
  const { log } = manifest;
  const kept = await keptHead(dataDir, manifest);
  const root = fromBase64(log.root, 32);
  if (root === null) throw new Error('the manifest was not checked');
  const ahead = kept !== null && kept.size > log.size;
  const head = ahead
    ? kept
    : {
        origin: log.origin,
        size: log.size,
        root,
        lastMessageId: log.last_message_id,
        time: now,
      };
  await writeHeadFile(dataDir, { ...head, restored: !noPeers });
}

/** Entries that the head file remembers and the backup does not hold. */
export async function missingEntries(
  dataDir: string,
  manifest: Manifest,
): Promise<number> {
  const kept = await keptHead(dataDir, manifest);
  return Math.max(0, (kept?.size ?? 0) - manifest.log.size);
}

/** Stops waiting for peers after a restore; false where nothing waits. */
export async function waitForNobody(dataDir: string): Promise<boolean> {
  const kept = await readHeadFile(dataDir);
  if (kept === null || !kept.restored) return false;
  await writeHeadFile(dataDir, { ...kept, restored: false });
  return true;
}
