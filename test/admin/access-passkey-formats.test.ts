import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Made, Value } from './access-authenticator.js';
import {
  C,
  CN,
  certificate,
  keyDescription,
  O,
  OU,
} from './access-certificate.js';
import { inviteCode } from './access-link.js';
import { givenPasskeys } from './access-passkeys.js';

const ES256 = -7;

type Attested = [format: string, statement: Map<string, Value>];

describe('attestations of new passkeys', () => {
  const { test, enrol } = givenPasskeys();
  const maker = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const leaf = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = { subject: { [CN]: 'Maker' }, key: maker.privateKey };
  let canary: Server;
  /** What the addresses of lists of revoked certificates were asked for. */
  const asked: string[] = [];
  let revoked: string;
  let root: Buffer;

  before(async () => {
    canary = createServer(({ url }, res) => {
      asked.push(url ?? '');
      res.end();
    });
    await new Promise<void>((done) => canary.listen(0, '127.0.0.1', done));
    const { port } = canary.address() as AddressInfo;
    revoked = `http://127.0.0.1:${port}/revoked`;
    const { publicKey } = maker;
    root = certificate({ ...issuer, publicKey, issuer, revoked });
  });

  after(() => canary.close());

  const signed = (about: Uint8Array[], { privateKey } = leaf) =>
    sign('sha256', Buffer.concat(about), privateKey);
  const data = ({ authData, clientDataHash }: Made) => [
    authData,
    clientDataHash,
  ];

  /** A certificate of the maker, which may be anybody. */
  function vouched(subject: Record<string, string>): Buffer {
    const { publicKey } = leaf;
    return certificate({ subject, publicKey, issuer, revoked });
  }

  const statement = (
    format: string,
    parts: Record<string, Value>,
  ): Attested => [format, new Map(Object.entries(parts))];

  const authenticator = {
    ...{ [C]: 'AA', [O]: 'Maker' },
    ...{ [OU]: 'Authenticator Attestation', [CN]: 'Device' },
  };
  const FORMATS: Record<string, (made: Made) => Attested> = {
    packed: (made) =>
      statement('packed', {
        alg: ES256,
        sig: signed(data(made)),
        x5c: [vouched(authenticator)],
      }),
    'fido-u2f': ({ authData, clientDataHash, id, keys }) => {
      const point = keys.publicKey.export({ format: 'der', type: 'spki' });
      const about = [authData.subarray(0, 32), clientDataHash, id];
      const sig = signed([Buffer.of(0), ...about, point.subarray(-65)]);
      return statement('fido-u2f', { sig, x5c: [vouched(authenticator)] });
    },
    apple: () => statement('apple', { x5c: [vouched(authenticator)] }),
    'android-key': (made) => {
      const own = certificate({
        subject: { [CN]: 'Device' },
        publicKey: made.keys.publicKey,
        issuer,
        revoked,
        extensions: {
          '1.3.6.1.4.1.11129.2.1.17': keyDescription(made.clientDataHash),
        },
      });
      return statement('android-key', {
        ...{ alg: ES256, sig: signed(data(made), made.keys) },
        x5c: [own, root],
      });
    },
    'android-safetynet': (made) => {
      const hash = createHash('sha256').update(Buffer.concat(data(made)));
      const nonce = hash.digest('base64');
      const x5c = [vouched({ [CN]: 'attest.android.com' }).toString('base64')];
      const part = (value: object) =>
        Buffer.from(JSON.stringify(value)).toString('base64url');
      const more = { timestampMs: Date.now(), ctsProfileMatch: true };
      const jwt = `${part({ x5c })}.${part({ nonce, ...more })}.AAAA`;
      return statement('android-safetynet', {
        ver: '1',
        response: Buffer.from(jwt),
      });
    },
    tpm: (made) =>
      statement('tpm', {
        ver: '2.0',
        alg: ES256,
        sig: signed(data(made)),
        x5c: [vouched({})],
        pubArea: Buffer.alloc(64),
        certInfo: Buffer.alloc(64),
      }),
    'one that nobody knows': () => statement('newest', {}),
    'a format in figures': () => [7 as unknown as string, new Map()],
  };

  const attested = async (attest: (made: Made) => Attested) =>
    await enrol(await inviteCode(test, 'anna', 'viewer'), {
      twist: { attest },
    });

  for (const [format, attest] of Object.entries(FORMATS)) {
    it(`are refused with ${format}, and nothing is fetched`, async () => {
      const answer = await attested(attest);
      expect(asked.splice(0)).to.deep.equal([]);
      expect(answer.status, answer.text).to.equal(400);
    });
  }

  it('may be by the new key itself, as browsers pass it on', async () => {
    const made = await attested((it) =>
      statement('packed', { alg: ES256, sig: signed(data(it), it.keys) }),
    );
    expect(made.status, made.text).to.equal(201);
    const forged = await attested((it) =>
      statement('packed', { alg: ES256, sig: signed(data(it)) }),
    );
    expect(forged.status, forged.text).to.equal(400);
  });
});
