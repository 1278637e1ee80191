import { hkdfSync } from 'node:crypto';
import { nativeDigest } from '../../client/verify/native-digest.js';
import { parseLogOrigin } from '../../protocol/board-name.js';
import { fromHex, useDigest } from '../../protocol/bytes.js';
import type { Signer } from '../../protocol/note.js';
import { keyPairFromSeed, ready } from '../../protocol/signing.js';
import {
  COSIGNATURE,
  ED25519,
  type KeyType,
  makeVkey,
  type Vkey,
} from '../../protocol/vkey.js';
import { type RotatedKey, rotatedKeys, rotatedSeed } from './rotated-keys.js';

/** The board's three signing keys and the secrets derived from its seed. */
export type BoardKeys = {
  log: Signer;
  /** The key of each generation of the own log, as far as it is known here. */
  logVkeyOf: (origin: string) => Vkey;
  mirror: Signer;
  node: Signer;
  /** Keys HMACs of tickets, answers and content identities. */
  server: Buffer;
  /** Keys the hashes that make one vote of one network (spec/board.md §1.9). */
  voter: Buffer;
};

type Seeds = {
  boardSeed: string | null;
  logKey: string | null;
  mirrorKey: string | null;
  nodeKey: string | null;
  /** Where rotated keys are; without it there are none. */
  dataDir?: string;
  /** They themselves, where they are not those of `dataDir`. */
  rotated?: readonly RotatedKey[];
};

/**
 * HKDF-SHA256 of the board seed's 32 bytes, empty salt, 32 bytes out
 * (spec/mesh.md §B1). `use` is e.g. `log`, `voter`.
 */
export function deriveSeed(boardSeed: Uint8Array, use: string): Buffer {
  const info = `reserve-board/seed/${use}/v1`;
  return Buffer.from(hkdfSync('sha256', boardSeed, '', info, 32));
}

/** Never other bytes than the operator's. */
function seedBytes(hex: string): Uint8Array {
  const bytes = fromHex(hex);
  if (bytes?.length !== 32) throw new TypeError('a seed has 64 hex digits');
  return bytes;
}

/** The keys that sign, each with its override among the settings. */
export const SIGNING = {
  log: 'logKey',
  mirror: 'mirrorKey',
  node: 'nodeKey',
} as const;
export type SigningUse = keyof typeof SIGNING;

/**
 * The secret seed of a key that signs for a log: as set, else rotated, else
 * derived from the board's.
 */
export function signingSeed(
  seeds: Seeds & { boardSeed: string },
  use: SigningUse,
  origin: string,
): Uint8Array {
  const override = seeds[SIGNING[use]];
  if (override !== null) return seedBytes(override);
  const { boardSeed, dataDir } = seeds;
  const generation = parseLogOrigin(origin)?.generation ?? 1;
  const { rotated = dataDir === undefined ? [] : rotatedKeys(dataDir) } = seeds;
  return (
    rotatedSeed(rotated, boardSeed, use, generation) ??
    deriveSeed(seedBytes(boardSeed), use)
  );
}

/** Derives every key; `origin` and `board` are the names they sign under. */
export function boardKeys(
  seeds: Seeds & { boardSeed: string },
  board: string,
  origin: string,
): BoardKeys {
  const root = seedBytes(seeds.boardSeed);
  const signer = (
    name: string,
    type: KeyType,
    use: SigningUse,
    log = origin,
  ): Signer => {
    const pair = keyPairFromSeed(signingSeed(seeds, use, log));
    return { pair, vkey: makeVkey(name, type, pair.publicKey) };
  };
  return {
    log: signer(origin, ED25519, 'log'),
    logVkeyOf: (log) => signer(log, ED25519, 'log', log).vkey,
    mirror: signer(`${board}/mirror`, COSIGNATURE, 'mirror'),
    node: signer(`${board}/node`, ED25519, 'node'),
    server: deriveSeed(root, 'server'),
    voter: deriveSeed(root, 'voter'),
  };
}

/** Ed25519 loaded, SHA-256 by Node: before anything is signed or hashed. */
export async function cryptoReady(): Promise<void> {
  useDigest(nativeDigest);
  await ready;
}
