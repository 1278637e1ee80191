import { type KeyObject, sign } from 'node:crypto';

/** A value of DER (X.690 §8.1): its tag, its length, what it contains. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const { length } = Buffer.concat(parts);
  const size =
    length < 128
      ? [length]
      : length < 256
        ? [0x81, length]
        : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tag, ...size), ...parts]);
}

const list = (...parts: Uint8Array[]) => der(0x30, ...parts);
const octets = (bytes: Uint8Array) => der(0x04, bytes);
const text = (value: string) => Buffer.from(value, 'latin1');

function objectId(name: string): Buffer {
  const [first = 0, second = 0, ...rest] = name.split('.').map(Number);
  const bytes = rest.flatMap((part) => {
    const sevens = [part & 127];
    for (let left = part >> 7; left > 0; left >>= 7) {
      sevens.unshift((left & 127) | 128);
    }
    return sevens;
  });
  return der(0x06, Buffer.of(first * 40 + second, ...bytes));
}

function nameOf(parts: Record<string, string>): Buffer {
  const named = Object.entries(parts).map(([type, value]) =>
    der(0x31, list(objectId(type), der(0x13, text(value)))),
  );
  return list(...named);
}

const ECDSA_SHA256 = list(objectId('1.2.840.10045.4.3.2'));

export type Issuer = { subject: Record<string, string>; key: KeyObject };

/** Names of subjects: country, organisation, its unit, common name. */
export const C = '2.5.4.6';
export const O = '2.5.4.10';
export const OU = '2.5.4.11';
export const CN = '2.5.4.3';

/** In DER (RFC 5280 §4.1); `revoked`: where its issuer lists the revoked. */
export function certificate(to: {
  subject: Record<string, string>;
  publicKey: KeyObject;
  issuer: Issuer;
  revoked: string;
  /** DER of more extensions by object identifier. */
  extensions?: Record<string, Uint8Array>;
}): Buffer {
  const { subject, publicKey, issuer, revoked, extensions = {} } = to;
  const serial = subject === issuer.subject ? 1 : 2;
  const at = der(0xa0, der(0xa0, der(0x86, text(revoked))));
  const extension = ([id, value]: [string, Uint8Array]) =>
    list(objectId(id), octets(value));
  const all = { ...extensions, '2.5.29.31': list(list(at)) };
  const content = list(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(serial)),
    ECDSA_SHA256,
    nameOf(issuer.subject),
    list(der(0x17, text('200101000000Z')), der(0x17, text('491231000000Z'))),
    nameOf(subject),
    publicKey.export({ format: 'der', type: 'spki' }),
    der(0xa3, list(...Object.entries(all).map(extension))),
  );
  const signature = sign('sha256', content, issuer.key);
  return list(
    content,
    ECDSA_SHA256,
    der(0x03, Buffer.concat([Buffer.of(0), signature])),
  );
}

/** Of Android's key attestation: the challenge, and no further statement. */
export function keyDescription(challenge: Uint8Array): Buffer {
  const number = (tag: number) => der(tag, Buffer.of(1));
  return list(
    ...[number(0x02), number(0x0a), number(0x02), number(0x0a)],
    ...[octets(challenge), octets(Buffer.of()), list(), list()],
  );
}
