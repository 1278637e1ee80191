import { fromHex } from '../../../protocol/bytes.js';
import { deriveSeed } from '../../ledger/board-keys.js';
import {
  isKeyLine,
  keepKey,
  type RotatedKey,
} from '../../ledger/rotated-keys.js';
import { seal, unseal } from '../../ledger/seal.js';
import { BackupFault, type Manifest } from './manifest.js';

/** Sealed by the seed: a backup alone cannot sign (§16.29). */
export function sealedKeys(
  keys: readonly RotatedKey[],
  boardSeed: string,
): NonNullable<Manifest['keys']> {
  const key = sealingKey(boardSeed);
  return keys.map(({ name, line }) => ({
    name,
    sealed: seal(key, about(name), Buffer.from(line)).toString('base64'),
  }));
}

/** @throws BackupFault */
export function openedKeys(
  { keys = [] }: Manifest,
  boardSeed: string,
): RotatedKey[] {
  const key = sealingKey(boardSeed);
  return keys.map(({ name, sealed }) => {
    const bytes = unseal(key, about(name), Buffer.from(sealed, 'base64'));
    const line = bytes?.toString('utf8') ?? '';
    if (isKeyLine(line)) return { name, line };
    throw new BackupFault(
      `The rotated key ${name} of the backup cannot be opened with this board's seed; use another backup.`,
    );
  });
}

/** Existing keys stay. */
export async function restoreKeys(
  dataDir: string,
  keys: readonly RotatedKey[],
): Promise<void> {
  for (const key of keys) await keepKey(dataDir, key, { replace: false });
}

function sealingKey(boardSeed: string): Buffer {
  return deriveSeed(fromHex(boardSeed) ?? new Uint8Array(32), 'backup-keys');
}

function about(name: string): string {
  return `reserve-board/backup-key/${name}`;
}
