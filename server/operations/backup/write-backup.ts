import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import type { PoolClient } from 'pg';
import { toBase64 } from '../../../protocol/bytes.js';
import { decodeFrontier, frontierRoot } from '../../../protocol/frontier.js';
import { copyOut } from '../../db/copy.js';
import { migrations } from '../../db/migrations/index.js';
import {
  type Database,
  rolledBack,
  type Tx,
  transactionOf,
} from '../../db/sql.js';
import { RELEASE } from '../../http/release.js';
import { asWhole, durable, settle } from './draft-folder.js';
import { LEFT_OUT } from './left-out.js';
import {
  BackupFault,
  FORMAT,
  fileOf,
  MANIFEST,
  type Manifest,
  SEAL,
  sealOf,
  type TableEntry,
} from './manifest.js';
import { keptTables, mirrorOrigins, quoted, type Table } from './tables.js';

export type BackupOptions = {
  boardSeed: string;
  /** The process's clock, in ms. */
  now: number;
  /** Rows so far, and about how many there are. */
  onProgress?: (rows: number, about: number) => void;
};

/**
 * Writes the whole database as it is at one moment into a new folder, beside a
 * running node or without one: per table a compressed COPY, and a sealed
 * manifest with their hashes. The folder appears whole or not at all; files
 * have mode 0600. The board's seed is not in it.
 *
 * @throws BackupFault for a folder that is in the way.
 */
export async function writeBackup(
  db: Database,
  folder: string,
  options: BackupOptions,
): Promise<Manifest> {
  return await asWhole(folder, async (draft) => {
    const manifest = await db.withClient((client) =>
      snapshot(client, draft, options),
    );
    const bytes = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`);
    const seal = `${sealOf(bytes, options.boardSeed)}\n`;
    await durable(path.join(draft, MANIFEST), bytes);
    await durable(path.join(draft, SEAL), Buffer.from(seal));
    return manifest;
  });
}

/** Everything is read in one transaction, which sees one moment. */
async function snapshot(
  client: PoolClient,
  draft: string,
  options: BackupOptions,
): Promise<Manifest> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    const tx = transactionOf(client);
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
  } finally {
    await rolledBack(client);
  }
}

async function writeTable(
  client: PoolClient,
  draft: string,
  { name, columns }: Table,
): Promise<TableEntry> {
  const file = fileOf(draft, { name });
  const list = columns.map(quoted).join(', ');
  const rows = copyOut(
    client,
    `COPY (SELECT ${list} FROM ${quoted(name)}) TO STDOUT`,
  );
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
  await pipeline(rows, gzip, counted, out);
  await settle(file);
  const sha256 = hash.digest('hex');
  return { name, columns, rows: rows.rows, bytes, sha256 };
}

type Facts = {
  board: string;
  origin: string;
  log_vkey: string;
  size: number;
  frontier: Buffer;
  last_message_id: number;
  checkpoint: string;
  version: string;
  migrated: string[];
};

/** All of a manifest but its tables, as the snapshot sees it. */
async function describe(tx: Tx, now: number): Promise<Manifest> {
  const [row] = await tx.query<Facts>(
    `SELECT s.board, s.origin, s.log_vkey, s.size, s.frontier,
       s.last_message_id, s.checkpoint,
       current_setting('server_version') AS version,
       (SELECT array_agg(m.name::text) FROM migrations m) AS migrated
     FROM log_state s WHERE s.origin_id = 0`,
  );
  if (row === undefined) {
    throw new BackupFault(
      'This board was never started, so there is nothing to back up; run "reserve-board start" first.',
    );
  }
  const root = frontierRoot(decodeFrontier(row.size, row.frontier));
  const names = migrations.map(({ name }) => name);
  return {
    format: FORMAT,
    release: RELEASE,
    made_at: now,
    board: row.board,
    log: {
      origin: row.origin,
      vkey: row.log_vkey,
      size: row.size,
      root: toBase64(root),
      last_message_id: row.last_message_id,
      checkpoint: row.checkpoint,
    },
    database: row.version,
    migrations: names.filter((name) => row.migrated.includes(name)),
    mirrors: await mirrorOrigins(tx),
    tables: [],
    left_out: [...LEFT_OUT],
  };
}

/** By the database's own statistics: exact enough for a bar. */
async function rowsAbout(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ rows: number }>(
    `SELECT coalesce(sum(greatest(c.reltuples, 0)), 0)::bigint AS rows
     FROM pg_class c WHERE c.relkind = 'r'
       AND c.relnamespace = current_schema()::regnamespace`,
  );
  return row?.rows ?? 0;
}
