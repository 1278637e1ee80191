import { createHash, createPublicKey, verify } from 'node:crypto';
import { concat } from '../../../protocol/bytes.js';
import { type KeyPair, signBytes } from '../../../protocol/signing.js';

/** Order of the base point (RFC 8032 5.1). */
const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const P = 2n ** 255n - 19n;

function little(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
}

function bytes32(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();
}

function sha512(...parts: Uint8Array[]): Buffer {
  return createHash('sha512')
    .update(concat(...parts))
    .digest();
}

/** The secret scalar of a key whose first 32 bytes are its seed. */
function scalarOf({ secretKey }: KeyPair): bigint {
  const half = sha512(secretKey.slice(0, 32)).subarray(0, 32);
  half[0] = (half[0] ?? 0) & 248;
  half[31] = ((half[31] ?? 0) & 127) | 64;
  return little(half);
}

/** `R` as given, and the S that makes `S·B = k·A`: R adds nothing. */
function withR(R: Uint8Array, message: Uint8Array, pair: KeyPair): Buffer {
  const k = little(sha512(R, pair.publicKey, message)) % L;
  const S = (k * scalarOf(pair)) % L;
  return Buffer.concat([R, bytes32(S)]);
}

/**
 * Signatures that the owner of a key can craft over any message, by name:
 * those on which verifiers disagree (spec/mesh.md §A2, §B1), and plain wrong
 * ones.
 */
export function craftedSignatures(
  message: Uint8Array,
  pair: KeyPair,
): Record<string, Uint8Array> {
  const honest = Buffer.from(signBytes(message, pair));
  const [R, S] = [honest.subarray(0, 32), honest.subarray(32)];
  const flipped = (at: number) => {
    const copy = Buffer.from(honest);
    copy[at] = (copy[at] ?? 0) ^ 1;
    return copy;
  };
  const highBit = bytes32(1n);
  highBit[31] = 128;
  return {
    honest,
    'R is the identity': withR(bytes32(1n), message, pair),
    'R is the identity, not canonical': withR(bytes32(P + 1n), message, pair),
    'R is the identity with a sign': withR(highBit, message, pair),
    'R is of order 2': withR(bytes32(P - 1n), message, pair),
    'R is of order 4': withR(bytes32(0n), message, pair),
    'R is no point': withR(bytes32(2n), message, pair),
    'S + L': Buffer.concat([R, bytes32(little(S) + L)]),
    'S is 0': Buffer.concat([R, bytes32(0n)]),
    'S is L': Buffer.concat([R, bytes32(L)]),
    'all zero': Buffer.alloc(64),
    'a bit of R': flipped(0),
    'a bit of S': flipped(40),
    'the top bit of S': flipped(63),
    'another message': signBytes(Buffer.from('Something else.'), pair),
  };
}

/** What Node's OpenSSL says, which is not the rule. */
export function opensslAccepts(
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
): boolean {
  const prefix = Buffer.from('302a300506032b6570032100', 'hex');
  try {
    const key = createPublicKey({
      key: Buffer.concat([prefix, publicKey]),
      format: 'der',
      type: 'spki',
    });
    return verify(null, message, key, signature);
  } catch {
    return false;
  }
}
