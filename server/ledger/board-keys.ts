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

export type BoardKeys = {
  log: Signer;
  /** As far as the key is known here. */
  logVkeyOf: (origin: string) => Vkey;
  mirror: Signer;
  node: Signer;
  /** For HMACs of tickets, answers and content identities. */
  server: Buffer;
  /** For the hashes that identify a network's vote (spec/board.md §1.9). */
  voter: Buffer;
};

type Seeds = {
  boardSeed: string | null;
  logKey: string | null;
  mirrorKey: string | null;
  nodeKey: string | null;
  /** Where rotated keys are; without it there are none. */
  dataDir?: string;
  /** Instead of those of `dataDir`. */
  rotated?: readonly RotatedKey[];
};

/** HKDF-SHA256, empty salt, 32 bytes (spec/mesh.md §B1); `use`: `log`, … */
export function deriveSeed(boardSeed: Uint8Array, use: string): Buffer {
  const info = `reserve-board/seed/${use}/v1`;
  return Buffer.from(hkdfSync('sha256', boardSeed, '', info, 32));
}

function seedBytes(hex: string): Uint8Array {
  const bytes = fromHex(hex);
  if (bytes?.length !== 32) throw new TypeError('a seed has 64 hex digits');
  return bytes;
}

/** The setting that overrides each signing key. */
export const SIGNING = {
  log: 'logKey',
  mirror: 'mirrorKey',
  node: 'nodeKey',
} as const;
export type SigningUse = keyof typeof SIGNING;

/** As set, else rotated, else derived from the board's seed. */
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

/** `origin` and `board` are the names that the keys sign under. */
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

export async function cryptoReady(): Promise<void> {
  useDigest(nativeDigest);
  await ready();
}
