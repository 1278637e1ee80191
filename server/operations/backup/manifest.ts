import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { fromHex } from '../../../protocol/bytes.js';
import { deriveSeed } from '../../ledger/board-keys.js';

/** What a backup cannot be used for: a sentence with the mend. */
export class BackupFault extends Error {
  override readonly name = 'BackupFault';
}

export const FORMAT = 'reserve-board-backup/1';
export const MANIFEST = 'manifest.json';
/** HMAC of the manifest under a key of the board's seed, in hex. */
export const SEAL = 'manifest.hmac';
export const TABLES = 'tables';
/** What was decided about peers, for `peer policy import`. */
export const PEERS = 'peers.json';

const count = z.int().min(0);
/** Of before the year 10000, which publicTime can write. */
const time = z.int().min(0).max(253_402_300_799_999);
/** It may be shown by a machine without the seed, so no terminal obeys it. */
const printable = z.string().regex(/^[ -~]*$/);
const hex = z.string().regex(/^[0-9a-f]{64}$/);
/** Names that go into SQL and paths, although they are quoted there. */
const name = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/);

const table = z.strictObject({
  name,
  columns: z.array(name).min(1).max(200),
  rows: count,
  /** Of the compressed file `tables/<name>.copy.gz`. */
  bytes: count,
  sha256: hex,
});

const manifest = z.strictObject({
  format: z.literal(FORMAT),
  release: printable.max(40),
  /** When the snapshot was taken, in ms. */
  made_at: time,
  board: printable.max(200),
  log: z.strictObject({
    origin: printable.max(200),
    vkey: printable.max(300),
    size: count,
    root: z.string().max(60),
    last_message_id: count,
    checkpoint: z.string().max(16_384),
  }),
  /** The server it came from; any of PostgreSQL 15 or newer takes it. */
  database: printable.max(100),
  migrations: z.array(printable.max(200)).min(1).max(1000),
  /** Origin ids of mirrored logs, which have partitions of their own. */
  mirrors: z.array(z.int().min(1)).max(100_000),
  tables: z.array(table).max(1000),
  /** Tables whose rows stay behind on purpose (see `LEFT_OUT`). */
  left_out: z.array(name).max(1000),
  /** The file `peers.json`; older backups have none. */
  peers: z.strictObject({ bytes: count, sha256: hex }).optional(),
  /** Rotated keys, sealed by the seed; absent where none was rotated. */
  keys: z
    .array(
      z.strictObject({
        name: z.string().regex(/^(?:node|mirror|log[1-9][0-9]{0,8})$/),
        sealed: z.base64().max(1000),
      }),
    )
    .max(1000)
    .optional(),
});

export type Manifest = z.infer<typeof manifest>;
export type TableEntry = z.infer<typeof table>;

export function fileOf(folder: string, entry: { name: string }): string {
  return path.join(folder, TABLES, `${entry.name}.copy.gz`);
}

/** The seal of a manifest's bytes: only who has the seed can make one. */
export function sealOf(bytes: Uint8Array, boardSeed: string): string {
  const seed = fromHex(boardSeed) ?? new Uint8Array(32);
  const key = deriveSeed(seed, 'backup');
  return createHmac('sha256', key).update(bytes).digest('hex');
}

/** More than any manifest or seal has. */
const READ_MOST = 16 * 1024 * 1024;

async function required(file: string): Promise<Buffer> {
  const size = await sizeOf(file);
  if (size !== null && size <= READ_MOST) return await readFile(file);
  const why = size === null ? 'missing' : 'too large';
  throw new BackupFault(
    `${file} is ${why}, so this is no whole backup; name a folder that "reserve-board backup" made.`,
  );
}

/** What a path is where no file can be there. */
const NO_FILE: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'ELOOP'];

/** Null where there is no ordinary file: reading another might never end. */
async function sizeOf(file: string): Promise<number | null> {
  try {
    const found = await stat(file);
    return found.isFile() ? found.size : null;
  } catch (error) {
    if (NO_FILE.includes((error as NodeJS.ErrnoException).code)) return null;
    throw error;
  }
}

/**
 * The manifest of a backup. With a seed its seal is checked first, so that
 * nothing that a stranger wrote is believed; `null` is for a machine that has
 * the backup and not the seed.
 *
 * @throws BackupFault
 */
export async function readManifest(
  folder: string,
  boardSeed: string | null,
): Promise<Manifest> {
  const bytes = await required(path.join(folder, MANIFEST));
  const seal = await required(path.join(folder, SEAL));
  if (boardSeed !== null && !isSealed(bytes, seal, boardSeed)) {
    throw new BackupFault(
      `${path.join(folder, MANIFEST)} does not carry the seal of this board's seed: it was changed, or the seed in use is another board's; use another backup, or set DATA_DIR or BOARD_SEED to those of the board.`,
    );
  }
  const read = manifest.safeParse(parsed(bytes));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new BackupFault(
    `${path.join(folder, MANIFEST)} is damaged or of another format (${issue?.path.join('.') ?? ''}: ${issue?.code ?? ''}); use another backup.`,
  );
}

function isSealed(bytes: Buffer, seal: Buffer, boardSeed: string): boolean {
  const due = Buffer.from(sealOf(bytes, boardSeed), 'utf8');
  const given = Buffer.from(seal.toString('utf8').trim(), 'utf8');
  return given.length === due.length && timingSafeEqual(given, due);
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}

/**
 * Reads every file of a backup and compares its size and SHA-256 with the
 * manifest's.
 *
 * @throws BackupFault that names the first file that is not as it was written.
 */
export async function checkFiles(
  folder: string,
  { tables, peers }: Manifest,
  onProgress: (bytes: number, of: number) => void = () => {},
): Promise<void> {
  const files = tables.map(({ name, bytes, sha256 }) => {
    return { file: fileOf(folder, { name }), bytes, sha256 };
  });
  const policy = peers && { file: path.join(folder, PEERS), ...peers };
  const all = policy === undefined ? files : [...files, policy];
  const total = all.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  for (const { file, bytes, sha256 } of all) {
    const size = await sizeOf(file);
    if (size === null) throw damaged(file, 'it is missing');
    if (size !== bytes) {
      throw damaged(file, `it has ${size} bytes instead of ${bytes}`);
    }
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(file)) {
      hash.update(chunk as Buffer);
      done += (chunk as Buffer).length;
      onProgress(done, total);
    }
    if (hash.digest('hex') !== sha256) {
      throw damaged(file, 'its SHA-256 is not the one that was written');
    }
  }
}

export function damaged(file: string, what: string): BackupFault {
  return new BackupFault(
    `${file} is not as it was written: ${what}; use another backup.`,
  );
}
