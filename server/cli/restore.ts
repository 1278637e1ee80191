import path from 'node:path';
import { formatVkey } from '../../protocol/vkey.js';
import { publicTime, systemClock } from '../clock.js';
import { type Config, parseConfig } from '../config.js';
import { locateDatabase } from '../db/locate.js';
import type { Database } from '../db/sql.js';
import { boardKeys } from '../ledger/board-keys.js';
import { type RotatedKey, rotatedKeys } from '../ledger/rotated-keys.js';
import { silentLogger } from '../logger.js';
import { openedKeys, restoreKeys } from '../operations/backup/backup-keys.js';
import { noteRun, rowsIn } from '../operations/backup/backup-notes.js';
import {
  checkFiles,
  type Manifest,
  readManifest,
} from '../operations/backup/manifest.js';
import { restoreBackup } from '../operations/backup/restore-backup.js';
import {
  missingEntries,
  noteRestore,
  waitForNobody,
} from '../operations/backup/restored-head.js';
import { facts } from './backup.js';
import { CommandFailure } from './failure.js';
import { type JsonOption, print, shown } from './output.js';
import { requireSeed } from './tool-database.js';

/** `peers`: false after `--no-peers`. */
type Flags = JsonOption & { peers?: boolean; dryRun?: boolean };

/**
 * Into an empty database. Writes stay closed until a peer answers or
 * `--no-peers` (spec/mesh.md §B4), which also works later without a folder.
 */
export async function restore(
  folder: string | undefined,
  { json = false, peers = true, dryRun = false }: Flags,
): Promise<void> {
  const config = parseConfig(process.env);
  if (folder === undefined) return await openWrites(config, peers, json);
  const from = path.resolve(folder);
  const boardSeed = await requireSeed(config);
  const manifest = await readManifest(from, boardSeed);
  const keys = openedKeys(manifest, boardSeed);
  checkKey(config, manifest, boardSeed, keys);
  await checked(from, manifest, json);
  const missing = await missingEntries(config.dataDir, manifest);
  if (dryRun) {
    const plan = { ok: true, dry_run: true, ...facts(manifest) };
    const all = { ...plan, missing_entries: missing };
    print(json, all, planOf(manifest, missing));
    return;
  }
  await fill(config, from, manifest, { json, noPeers: !peers, keys });
  print(
    json,
    {
      ok: true,
      ...facts(manifest),
      missing_entries: missing,
      waits_for_peers: peers,
    },
    resultOf(manifest, missing, peers),
  );
}

async function openWrites(
  config: Config,
  peers: boolean,
  json: boolean,
): Promise<void> {
  if (peers) {
    throw new CommandFailure(
      'Name the folder of a backup (or only --no-peers, to stop waiting for peers after a restore).',
    );
  }
  const waited = await waitForNobody(config.dataDir);
  print(
    json,
    { ok: true, waited },
    waited
      ? 'The board waits for no peer any more; a running node opens its writes within 10 s, unless its log is behind a mirror.'
      : 'No restore waits for peers here; nothing to do.',
  );
}

function checkKey(
  config: Config,
  { board, log }: Manifest,
  boardSeed: string,
  restored: readonly RotatedKey[],
) {
  const here = rotatedKeys(config.dataDir);
  const isHere = (name: string) => here.some((key) => key.name === name);
  const lacking = restored.filter(({ name }) => !isHere(name));
  const seeds = { ...config, boardSeed, rotated: [...here, ...lacking] };
  const keys = boardKeys(seeds, board, log.origin);
  if (formatVkey(keys.log.vkey) === log.vkey) return;
  throw new CommandFailure(
    `The log key in use is not that of ${board}; set BOARD_LOG_KEY, BOARD_SEED or DATA_DIR to those of the board.`,
  );
}

export async function checked(
  folder: string,
  manifest: Manifest,
  json: boolean,
): Promise<void> {
  await shown('checking', ' bytes', json, (onProgress) =>
    checkFiles(folder, manifest, onProgress),
  );
}

async function fill(
  config: Config,
  folder: string,
  manifest: Manifest,
  {
    json,
    noPeers,
    keys,
  }: { json: boolean; noPeers: boolean; keys: readonly RotatedKey[] },
): Promise<void> {
  const { dataDir } = config;
  const { connection, embedded } = await locateDatabase(config, silentLogger);
  const startedAt = systemClock.now();
  // Keys and note first: no start may find rows without them.
  const beforeCommit = async () => {
    await restoreKeys(dataDir, keys);
    await noteRestore(dataDir, manifest, { noPeers, now: systemClock.now() });
  };
  // The restore has verified the backup.
  const afterwards = (db: Database) => {
    const durationMs = systemClock.now() - startedAt;
    return noteRun(
      db,
      { name: 'verify_backup', startedAt, durationMs },
      manifest,
    );
  };
  const hooks = { beforeCommit, afterwards };
  await shown('restoring', ' rows', json, (onProgress) =>
    restoreBackup(connection, folder, manifest, { onProgress, ...hooks }),
  ).finally(() => embedded?.stop());
}

function planOf(manifest: Manifest, missing: number): string {
  const made = publicTime(manifest.made_at);
  return [
    `Nothing was changed. Every file is as it was written. A restore would bring back ${manifest.board} as of ${made}: ${rowsIn(manifest)} rows, a log of ${manifest.log.size} entries, operators and peers included.`,
    missing > 0
      ? `DATA_DIR/log.head remembers ${missing} entries more: "reserve-board log restore" then pulls them from a mirror.`
      : 'What came after it is lost, unless "reserve-board log restore" then finds it at a mirror.',
    'Sessions of operators and counters of networks are in no backup.',
  ].join('\n');
}

function resultOf(manifest: Manifest, missing: number, peers: boolean): string {
  const lines = [
    `Restored ${manifest.board}: ${rowsIn(manifest)} rows, a log of ${manifest.log.size} entries whose root is the signed one.`,
    'Operators have to sign in again; the counters of limits begin at zero.',
  ];
  if (missing > 0) {
    lines.push(
      `DATA_DIR/log.head remembers ${missing} entries more: writes stay closed until "reserve-board log restore" pulled them from a mirror.`,
    );
  } else if (peers) {
    lines.push(
      'Writes stay closed until a peer has answered; a board without peers runs "reserve-board restore --no-peers". If a mirror has more, run "reserve-board log restore".',
    );
  } else {
    lines.push(
      'Writes open as the node starts. If a linked board shows a longer log, writes stay closed: run "reserve-board log restore"; "doctor" says so.',
    );
  }
  return lines.join('\n');
}
