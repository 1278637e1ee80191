import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { startEmbedded } from '../../db/embedded/index.js';
import { temporaryFolder } from '../../db/embedded/reach.js';
import type { Manifest } from './manifest.js';
import { restoreBackup } from './restore-backup.js';

export type TrialOptions = {
  onProgress?: (rows: number, of: number) => void;
  /** Ends the trial; its server and folder go with it. */
  signal?: AbortSignal;
};

/**
 * Restores a backup into a throw-away PostgreSQL below the system's folder for
 * temporary files (`TMPDIR`) and deletes it: only a restore shows that a backup
 * can be restored. It needs the embedded database's package, also beside a
 * board whose database is another.
 *
 * @throws BackupFault, EmbeddedDatabaseError
 */
export async function tryRestore(
  folder: string,
  manifest: Manifest,
  { onProgress, signal }: TrialOptions = {},
): Promise<void> {
  const scratch = await mkdtemp(
    path.join(temporaryFolder(), 'reserve-verify-'),
  );
  try {
    const server = await startEmbedded({ dataDir: scratch, log: () => {} });
    try {
      await restoreBackup(server.connection, folder, manifest, {
        onProgress: (rows, of) => {
          signal?.throwIfAborted();
          onProgress?.(rows, of);
        },
      });
    } finally {
      await server.stop();
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
