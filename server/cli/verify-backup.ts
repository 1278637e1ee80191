import path from 'node:path';
import { publicTime, systemClock } from '../clock.js';
import { type Config, parseConfig } from '../config.js';
import { LogState } from '../db/entities/log.js';
import { readSeed } from '../ledger/board-seed.js';
import { openedKeys } from '../operations/backup/backup-keys.js';
import { noteRun, rowsIn } from '../operations/backup/backup-notes.js';
import { type Manifest, readManifest } from '../operations/backup/manifest.js';
import { tryRestore } from '../operations/backup/restore-backup.js';
import { facts } from './backup.js';
import { CommandFailure } from './failure.js';
import { hasTables } from './node.sql.js';
import { type JsonOption, print, shown } from './output.js';
import { checked } from './restore.js';
import { databaseExists, withOwnDatabase } from './tool-database.js';

/** In a temporary database; notes the success if the board is here. */
export async function verifyBackup(
  folder: string,
  { json = false }: JsonOption,
): Promise<void> {
  const config = parseConfig(process.env);
  const from = path.resolve(folder);
  const seed = await readSeed(config);
  const startedAt = systemClock.now();
  const began = performance.now();
  const manifest = await readManifest(from, seed);
  if (seed !== null) openedKeys(manifest, seed);
  await checked(from, manifest, json);
  await restoredOnTrial(from, manifest, json);
  const durationMs = Math.round(performance.now() - began);
  const run = { name: 'verify_backup', startedAt, durationMs } as const;
  const noted = await note(config, run, manifest);
  print(
    json,
    { ok: true, ...facts(manifest), sealed: seed !== null, noted },
    [
      `Restored ${manifest.board} of ${publicTime(manifest.made_at)} into a throw-away database: ${rowsIn(manifest)} rows, and the root of its ${manifest.log.size} entries is the signed one.`,
      ...(seed === null
        ? ['The seal was not checked: no seed is in DATA_DIR or BOARD_SEED.']
        : []),
      ...(noted
        ? []
        : ['It is not noted on the System page: the board is not here.']),
    ].join('\n'),
  );
}

/** A signal ends the trial and its server. */
async function restoredOnTrial(
  folder: string,
  manifest: Manifest,
  json: boolean,
): Promise<void> {
  const stop = new AbortController();
  const onSignal = () =>
    stop.abort(new CommandFailure('Stopped; nothing was verified.'));
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  try {
    await shown(
      'restoring into a throw-away database',
      ' rows',
      json,
      (onProgress) =>
        tryRestore(folder, manifest, { onProgress, signal: stop.signal }),
    );
  } finally {
    process.off('SIGTERM', onSignal).off('SIGINT', onSignal);
  }
}

/** On other machines there is no database for it. */
async function note(
  config: Config,
  run: Parameters<typeof noteRun>[1],
  manifest: Manifest,
): Promise<boolean> {
  if (!(await databaseExists(config))) return false;
  return await withOwnDatabase(config, async (db) => {
    if (!(await hasTables(db))) return false;
    const own = { originId: 0, origin: manifest.log.origin };
    if (!(await db.manager.existsBy(LogState, own))) return false;
    await noteRun(db, run, manifest);
    return true;
  });
}
