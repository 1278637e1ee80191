import { fromBase64 } from '../../../protocol/bytes.js';
import {
  headFile,
  type KeptHead,
  readHeadFile,
  writeHeadFile,
} from '../../ledger/head-file.js';
import { BackupFault, type Manifest } from './manifest.js';

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
 * The last step before a restore counts: writes stay closed until a peer
 * answers, unless `noPeers` (spec/mesh.md §B4). A head ahead of the backup
 * stays, so that missing entries are pulled first.
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

/** Known to the head file, missing in the backup. */
export async function missingEntries(
  dataDir: string,
  manifest: Manifest,
): Promise<number> {
  const kept = await keptHead(dataDir, manifest);
  return Math.max(0, (kept?.size ?? 0) - manifest.log.size);
}

/** False: nothing waits for peers. */
export async function waitForNobody(dataDir: string): Promise<boolean> {
  const kept = await readHeadFile(dataDir);
  if (kept === null || !kept.restored) return false;
  await writeHeadFile(dataDir, { ...kept, restored: false });
  return true;
}
