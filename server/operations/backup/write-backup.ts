import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import type { PoolClient } from 'pg';
import { toBase64 } from '../../../protocol/bytes.js';
import { decodeFrontier, frontierRoot } from '../../../protocol/tree.js';
import { ping } from '../../db/connection.sql.js';
import { LogState } from '../../db/entities/log.js';
import { durable, settle } from '../../db/files.js';
import { migrations } from '../../db/migrations/index.js';
import { cutOff, type Database, type Tx } from '../../db/sql.js';
import { RELEASE } from '../../http/release.js';
import { OWN_LOG } from '../../ledger/own-log.sql.js';
import type { RotatedKey } from '../../ledger/rotated-keys.js';
import {
  copyOut,
  keptTables,
  LEFT_OUT,
  mirrorOrigins,
  rowsAbout,
  serverFacts,
  type Table,
} from './backup.sql.js';
import { sealedKeys } from './backup-keys.js';
import { asWhole } from './draft-folder.js';
import {
  BackupFault,
  FORMAT,
  fileOf,
  MANIFEST,
  type Manifest,
  PEERS,
  SEAL,
  sealOf,
  type TableEntry,
} from './manifest.js';

type BackupOptions = {
  boardSeed: string;
  now: number;
  /** After the rows, so that no backup lacks its log's key. */
  keys?: () => readonly RotatedKey[];
  /** Decisions about peers, as JSON. */
  policy?: object | undefined;
  /** `about`: estimated total. */
  onProgress?: (rows: number, about: number) => void;
};

/**
 * One moment of the database: a COPY per table and a sealed manifest of hashes,
 * mode 0600, in a folder that appears whole or not at all. Without the board's
 * seed.
 * @throws BackupFault where a folder is in the way
 */
export async function writeBackup(
  db: Database,
  folder: string,
  options: BackupOptions,
): Promise<Manifest> {
  return await asWhole(folder, async (draft) => {
    const { policy, boardSeed } = options;
    const manifest = await db.snapshot((tx, client) =>
      writeTables(tx, client, draft, options),
    );
    const keys = options.keys?.() ?? [];
    if (keys.length > 0) manifest.keys = sealedKeys(keys, boardSeed);
    if (policy !== undefined) {
      const bytes = Buffer.from(`${JSON.stringify(policy, null, 2)}\n`);
      await durable(path.join(draft, PEERS), bytes);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      manifest.peers = { bytes: bytes.length, sha256 };
    }
    const bytes = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`);
    const seal = `${sealOf(bytes, boardSeed)}\n`;
    await durable(path.join(draft, MANIFEST), bytes);
    await durable(path.join(draft, SEAL), Buffer.from(seal));
    return manifest;
  });
}

async function writeTables(
  tx: Tx,
  client: PoolClient,
  draft: string,
  options: BackupOptions,
): Promise<Manifest> {
  const tables = await keptTables(tx);
  const manifest = await describe(tx, options.now);
  let done = 0;
  const about = await rowsAbout(tx);
  for (const table of tables) {
    const entry = await writeTable(client, draft, table);
    manifest.tables.push(entry);
    done += entry.rows;
    options.onProgress?.(done, Math.max(about, done));
  }
  return manifest;
}

async function writeTable(
  client: PoolClient,
  draft: string,
  table: Table,
): Promise<TableEntry> {
  const { name, columns } = table;
  const file = fileOf(draft, { name });
  const copy = copyOut(client, table);
  // A COPY that nobody reads blocks its connection.
  copy.on('close', () => copy.readableEnded || cutOff(client));
  copy.on('error', () => {}); // pipeline throws the first
  const hash = createHash('sha256');
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  const out = createWriteStream(file, { flags: 'wx', mode: 0o600 });
  await pipeline(copy, gzip, counted, out);
  await settle(file);
  // The row count arrives after the last byte, but before this answer.
  await ping(client);
  const sha256 = hash.digest('hex');
  return { name, columns, rows: copy.rowCount, bytes, sha256 };
}

async function describe(tx: Tx, now: number): Promise<Manifest> {
  const row = await tx.manager.findOne(LogState, {
    select: {
      board: true,
      origin: true,
      logVkey: true,
      size: true,
      frontier: true,
      lastMessageId: true,
      checkpoint: true,
    },
    where: { originId: OWN_LOG },
  });
  if (row === null) {
    throw new BackupFault(
      'This board was never started, so there is nothing to back up; run "reserve-board start" first.',
    );
  }
  const root = frontierRoot(decodeFrontier(row.size, row.frontier));
  const names = migrations.map(({ name }) => name);
  const { version, migrated } = await serverFacts(tx);
  return {
    format: FORMAT,
    release: RELEASE,
    made_at: now,
    board: row.board,
    log: {
      origin: row.origin,
      vkey: row.logVkey,
      size: row.size,
      root: toBase64(root),
      last_message_id: row.lastMessageId,
      checkpoint: row.checkpoint,
    },
    database: version,
    migrations: names.filter((name) => migrated.includes(name)),
    mirrors: await mirrorOrigins(tx),
    tables: [],
    left_out: [...LEFT_OUT],
  };
}
