import path from 'node:path';
import { publicTime, systemClock } from '../clock.js';
import { parseConfig } from '../config.js';
import type { Database } from '../db/sql.js';
import { rotatedKeys } from '../ledger/rotated-keys.js';
import { bytesIn, noteRun, rowsIn } from '../operations/backup/backup-notes.js';
import type { Manifest } from '../operations/backup/manifest.js';
import { writeBackup } from '../operations/backup/write-backup.js';
import { type JsonOption, print, shown } from './output.js';
import {
  requireMigrated,
  requireSeed,
  withOwnDatabase,
} from './tool-database.js';

/** Beside a running node or without one, with any database. */
export async function backup(
  folder: string,
  { json = false }: JsonOption,
): Promise<void> {
  const config = parseConfig(process.env);
  const to = path.resolve(folder);
  const boardSeed = await requireSeed(config);
  const startedAt = systemClock.now();
  const began = performance.now();
  const manifest = await shown('backing up', ' rows', json, (onProgress) => {
    const work = async (db: Database) => {
      await requireMigrated(db);
      const { policyOf } = await import('../../mesh/cli/peer-policy.js');
      const how = {
        boardSeed,
        now: startedAt,
        onProgress,
        keys: () => rotatedKeys(config.dataDir),
        policy: await policyOf(config, db, boardSeed),
      };
      const made = await writeBackup(db, to, how);
      const durationMs = Math.round(performance.now() - began);
      await noteRun(db, { name: 'backup', startedAt, durationMs }, made);
      return made;
    };
    return withOwnDatabase(config, work, { patient: true });
  });
  print(
    json,
    { ok: true, folder: to, ...facts(manifest) },
    [
      `Backed up ${manifest.board} to ${to}: ${rowsIn(manifest)} rows, a log of ${manifest.log.size} entries, ${bytesIn(manifest)} bytes.`,
      'The seed of the board is not in it: keep board.seed (or BOARD_SEED) apart, without it nothing can be restored.',
      `Its peers.json has what was decided about peers; "reserve-board peer policy import ${to}" shows and restores it.`,
      `Check it with: reserve-board verify-backup ${to}`,
    ].join('\n'),
  );
}

export function facts(manifest: Manifest): object {
  return {
    board: manifest.board,
    made_at: publicTime(manifest.made_at),
    release: manifest.release,
    tables: manifest.tables.length,
    rows: rowsIn(manifest),
    bytes: bytesIn(manifest),
    log_size: manifest.log.size,
    last_message_id: manifest.log.last_message_id,
  };
}
