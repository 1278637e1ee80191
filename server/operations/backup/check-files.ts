import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { BackupFault, fileOf, type Manifest } from './manifest.js';

/**
 * Reads every file of a backup and compares its size and SHA-256 with the
 * manifest's.
 *
 * @throws BackupFault that names the first file that is not as it was written.
 */
export async function checkFiles(
  folder: string,
  { tables }: Manifest,
  onProgress: (bytes: number, of: number) => void = () => {},
): Promise<void> {
  const total = tables.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  for (const table of tables) {
    const file = fileOf(folder, table);
    const size = await stat(file).then(
      (found) => found.size,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      },
    );
    if (size === null) throw damaged(file, 'it is missing');
    if (size !== table.bytes) {
      throw damaged(file, `it has ${size} bytes instead of ${table.bytes}`);
    }
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(file)) {
      hash.update(chunk as Buffer);
      done += (chunk as Buffer).length;
      onProgress(done, total);
    }
    if (hash.digest('hex') !== table.sha256) {
      throw damaged(file, 'its SHA-256 is not the one that was written');
    }
  }
}

function damaged(file: string, what: string): BackupFault {
  return new BackupFault(
    `${file} is not as it was written: ${what}; use another backup.`,
  );
}
