import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { fromHex } from '../../../protocol/bytes.js';
import { deriveSeed } from '../../ledger/board-keys.js';

/** One sentence that says what to do. */
export class BackupFault extends Error {
  override readonly name = 'BackupFault';
}

export const FORMAT = 'reserve-board-backup/1';
export const MANIFEST = 'manifest.json';
/** Hex HMAC of the manifest under a key of the board's seed. */
export const SEAL = 'manifest.hmac';
export const TABLES = 'tables';
export const PEERS = 'peers.json';

const count = z.int().min(0);
/** Before the year 10000, the limit of publicTime. */
const time = z.int().min(0).max(253_402_300_799_999);
/** Unverified machines show it: no control characters for terminals. */
const printable = z.string().regex(/^[ -~]*$/);
const hex = z.string().regex(/^[0-9a-f]{64}$/);
/** Used in SQL and paths. */
const name = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/);

const table = z.strictObject({
  name,
  columns: z.array(name).min(1).max(200),
  rows: count,
  bytes: count,
  sha256: hex,
});

const manifest = z.strictObject({
  format: z.literal(FORMAT),
  release: printable.max(40),
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
  /** The source server; PostgreSQL 15 or newer takes it. */
  database: printable.max(100),
  migrations: z.array(printable.max(200)).min(1).max(1000),
  /** Origin ids of mirrored logs, which have partitions. */
  mirrors: z.array(z.int().min(1)).max(100_000),
  tables: z.array(table).max(1000),
  /** See `LEFT_OUT`. */
  left_out: z.array(name).max(1000),
  /** Of `peers.json`; missing in older backups. */
  peers: z.strictObject({ bytes: count, sha256: hex }).optional(),
  /** Sealed by the seed; absent where none was rotated. */
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

export function sealOf(bytes: Uint8Array, boardSeed: string): string {
  const seed = fromHex(boardSeed) ?? new Uint8Array(32);
  const key = deriveSeed(seed, 'backup');
  return createHmac('sha256', key).update(bytes).digest('hex');
}

/** More than any manifest has. */
const READ_MOST = 16 * 1024 * 1024;

async function required(file: string): Promise<Buffer> {
  const size = await sizeOf(file);
  if (size !== null && size <= READ_MOST) return await readFile(file);
  const why = size === null ? 'missing' : 'too large';
  throw new BackupFault(
    `${file} is ${why}, so this is no whole backup; name a folder that "reserve-board backup" made.`,
  );
}

/** Errors of paths that cannot have a file. */
const NO_FILE: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'ELOOP'];

/** Null unless it is an ordinary file: reading others might never end. */
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
 * With a seed, the seal is checked before anything is believed; `null`: the
 * machine does not have it.
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
 * Compares size and SHA-256 with the manifest.
 * @throws BackupFault that names the first wrong file
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
