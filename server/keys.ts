import { hkdfSync, randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fromHex, toHex } from '../protocol/bytes.js';
import type { Signer } from '../protocol/note.js';
import { keyPairFromSeed } from '../protocol/signing.js';
import {
  COSIGNATURE,
  ED25519,
  type KeyType,
  makeVkey,
} from '../protocol/vkey.js';
import { ConfigError } from './config.js';

/** The board's three signing keys and the secrets derived from its seed. */
export type BoardKeys = {
  log: Signer;
  mirror: Signer;
  node: Signer;
  /** Keys HMACs of tickets, answers and content identities. */
  server: Buffer;
  /** Keys the hashes that make one vote of one network (decisions 1.9). */
  voter: Buffer;
};

type Seeds = {
  boardSeed: string | null;
  logKey: string | null;
  mirrorKey: string | null;
  nodeKey: string | null;
};

/**
 * HKDF-SHA256 of the board seed's 32 bytes, empty salt, 32 bytes out
 * (mesh.md B1). `use` is e.g. `log`, `voter`.
 */
export function deriveSeed(boardSeed: Uint8Array, use: string): Buffer {
  const info = `reserve-board/seed/${use}/v1`;
  return Buffer.from(hkdfSync('sha256', boardSeed, '', info, 32));
}

/** Derives every key; `origin` and `board` are the names they sign under. */
export function boardKeys(
  seeds: Seeds & { boardSeed: string },
  board: string,
  origin: string,
): BoardKeys {
  const root = fromHex(seeds.boardSeed) ?? new Uint8Array(32);
  const signer = (
    name: string,
    type: KeyType,
    override: string | null,
    use: string,
  ): Signer => {
    const seed = override === null ? null : fromHex(override);
    const pair = keyPairFromSeed(seed ?? deriveSeed(root, use));
    return { pair, vkey: makeVkey(name, type, pair.publicKey) };
  };
  return {
    log: signer(origin, ED25519, seeds.logKey, 'log'),
    mirror: signer(`${board}/mirror`, COSIGNATURE, seeds.mirrorKey, 'mirror'),
    node: signer(`${board}/node`, ED25519, seeds.nodeKey, 'node'),
    server: deriveSeed(root, 'server'),
    voter: deriveSeed(root, 'voter'),
  };
}

/**
 * The configured seed, or the one kept in `DATA_DIR/board.seed` (mode 0600),
 * made at the first start. The file appears whole or not at all.
 */
export async function loadBoardSeed(
  configured: string | null,
  dataDir: string,
): Promise<string> {
  if (configured !== null) return configured;
  const file = path.join(dataDir, 'board.seed');
  const kept = await readSeedFile(file);
  if (kept !== null) return kept;
  const seed = toHex(randomBytes(32));
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `${seed}\n`, { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, file);
  } catch (error) {
    // Two first starts at once: the one that linked first made the seed.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft);
  }
  return (await readSeedFile(file)) ?? seed;
}

async function readSeedFile(file: string): Promise<string | null> {
  let text: string;
  try {
    text = (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  if (/^[0-9a-f]{64}$/.test(text)) return text;
  throw new ConfigError([
    `${file} does not hold 64 hex digits; restore it from your backup.`,
  ]);
}
