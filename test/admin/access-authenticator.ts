import {
  createHash,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { randomBytes } from '../support/random.js';

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

export type Value =
  | number
  | string
  | Uint8Array
  | readonly Value[]
  | Map<number | string, Value>;

/** CBOR of the few kinds that WebAuthn needs (RFC 8949 §4.2.1). */
export function cbor(value: Value): Buffer {
  if (typeof value === 'number') {
    return value < 0 ? head(1, -1 - value) : head(0, value);
  }
  if (typeof value === 'string') {
    const bytes = Buffer.from(value, 'utf8');
    return Buffer.concat([head(3, bytes.length), bytes]);
  }
  if (value instanceof Uint8Array) {
    return Buffer.concat([head(2, value.length), value]);
  }
  if (!(value instanceof Map)) {
    return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  }
  const pairs = [...value].flatMap(([key, inner]) => [cbor(key), cbor(inner)]);
  return Buffer.concat([head(5, value.size), ...pairs]);
}

function head(kind: number, length: number): Buffer {
  const major = kind << 5;
  if (length < 24) return Buffer.of(major | length);
  if (length < 256) return Buffer.of(major | 24, length);
  return Buffer.of(major | 25, length >> 8, length & 255);
}

/** EC2 key of P-256 for ES256 (RFC 9053 §7.1). */
export function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return cbor(
    new Map<number, Value>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  );
}

export type Twist = {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  /** The owner did not touch or unlock it. */
  flags?: number;
  key?: KeyObject;
  counter?: number;
  /** More members of what the page signs, or others in their place. */
  client?: Record<string, unknown>;
  /** Of a new passkey: its key, its name, its whole statement. */
  cose?: Uint8Array;
  credentialId?: Uint8Array;
  statement?: Uint8Array;
  /** Its format and what vouches for it, in the place of `none`. */
  attest?: (made: Made) => [format: string, statement: Map<string, Value>];
};

/** What an attestation is about. */
export type Made = {
  authData: Buffer;
  clientDataHash: Buffer;
  id: Uint8Array;
  keys: { publicKey: KeyObject; privateKey: KeyObject };
};

type Options = { challenge: string; rpId?: string; rp?: { id?: string } };

export class Authenticator {
  readonly id = randomBytes(32);
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  private counter = 0;

  constructor(readonly origin: string) {}

  private client(type: string, { challenge }: Options, twist: Twist): Buffer {
    const data = {
      type: twist.type ?? type,
      challenge: twist.challenge ?? challenge,
      origin: twist.origin ?? this.origin,
      crossOrigin: false,
      ...twist.client,
    };
    return Buffer.from(JSON.stringify(data), 'utf8');
  }

  private data(options: Options, twist: Twist, more: Uint8Array): Buffer {
    const rpId = twist.rpId ?? options.rpId ?? options.rp?.id ?? '';
    const counter = Buffer.alloc(4);
    this.counter += 1;
    counter.writeUInt32BE(twist.counter ?? this.counter);
    const credential = more.length > 0 ? HAS_CREDENTIAL : 0;
    const flags = (twist.flags ?? PRESENT | VERIFIED) | credential;
    return Buffer.concat([
      createHash('sha256').update(rpId).digest(),
      Buffer.of(flags),
      counter,
      more,
    ]);
  }

  private answer(response: Record<string, Buffer>): object {
    const id = this.id.toString('base64url');
    const texts = Object.entries(response).map(([name, bytes]) => [
      name,
      bytes.toString('base64url'),
    ]);
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: Object.fromEntries(texts),
    };
  }

  /** `navigator.credentials.create`, as JSON. */
  create(options: Options, twist: Twist = {}): object {
    const { credentialId: id = this.id, cose } = twist;
    const length = Buffer.of(id.length >> 8, id.length & 255);
    const key = cose ?? coseKey(this.keys.publicKey);
    const more = Buffer.concat([Buffer.alloc(16), length, id, key]);
    const clientDataJSON = this.client('webauthn.create', options, twist);
    const authData = this.data(options, twist, more);
    const clientDataHash = createHash('sha256').update(clientDataJSON).digest();
    const made = { authData, clientDataHash, id, keys: this.keys };
    const [format, statement] = twist.attest?.(made) ?? ['none', new Map()];
    const attestation = new Map<string, Value>([
      ['fmt', format],
      ['attStmt', statement],
      ['authData', authData],
    ]);
    return this.answer({
      clientDataJSON,
      attestationObject: Buffer.from(twist.statement ?? cbor(attestation)),
    });
  }

  /** `navigator.credentials.get`, as JSON. */
  get(options: Options, twist: Twist = {}): object {
    const clientDataJSON = this.client('webauthn.get', options, twist);
    const authenticatorData = this.data(options, twist, Buffer.alloc(0));
    const digest = createHash('sha256').update(clientDataJSON).digest();
    const signature = sign(
      'sha256',
      Buffer.concat([authenticatorData, digest]),
      twist.key ?? this.keys.privateKey,
    );
    return this.answer({ clientDataJSON, authenticatorData, signature });
  }
}
