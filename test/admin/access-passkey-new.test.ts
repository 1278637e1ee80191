import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import { randomBytes } from '../support/random.js';
import { type Serving, serving } from '../support/serving.js';
import {
  Authenticator,
  cbor,
  coseKey,
  type Made,
  type Twist,
  type Value,
} from './access-authenticator.js';
import { Browser } from './access-browser.js';
import {
  C,
  CN,
  certificate,
  keyDescription,
  O,
  OU,
} from './access-certificate.js';
import { inviteCode } from './access-link.js';
import {
  type Change,
  client,
  EVIL,
  givenPasskeys,
  HOME,
  parts,
} from './access-passkeys.js';

describe('new passkeys', () => {
  const { test, enrol, signIn, passkeys } = givenPasskeys();

  it('belong to the link they were asked by', async () => {
    const before = await passkeys();
    const [code, another] = [
      await inviteCode(test, 'anna', 'admin'),
      await inviteCode(test, 'bert', 'viewer'),
    ];
    const browser = new Browser(test);
    const asked = await browser.post('/setup/passkey/options', {
      code: another,
    });
    const response = new Authenticator(HOME).create(asked.body.options);
    const refused = await browser.post('/setup/passkey', { code, response });
    expect(refused.status, refused.text).to.equal(400);
    expect(await passkeys()).to.equal(before);
  });

  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
  /** A COSE key: its type, its algorithm, and what it has under -1, -2, … */
  const cose = (kind: Value, algorithm?: Value, ...more: Value[]): Twist => {
    const own = new Map<number, Value>([[1, kind]]);
    if (algorithm !== undefined) own.set(3, algorithm);
    for (const [n, value] of more.entries()) own.set(-1 - n, value);
    return { cose: cbor(own) };
  };
  const deep = (first: number): Twist => ({
    statement: Buffer.alloc(40_000, first),
  });
  const raw = (hex: string): Twist => ({ statement: Buffer.from(hex, 'hex') });
  const another = new Map<string, Value>([
    ['fmt', 'packed'],
    ['attStmt', new Map([['alg', -7]])],
    ['authData', Buffer.alloc(37)],
  ]);
  const more = Buffer.concat([coseKey(ec), Buffer.alloc(4)]);
  const none = Buffer.alloc(0);
  const NEW: Record<string, Twist | Change> = {
    'in a frame of another page': client({ crossOrigin: true }),
    'under a page above it': client({ topOrigin: EVIL }),
    'of a sign-in': { type: 'webauthn.get' },
    'of another origin': { origin: EVIL },
    'of another relying party': { rpId: 'example' },
    'of nobody there': { flags: 4 },
    'of an owner not verified': { flags: 1 },
    'of a copy that may not be copied': { flags: 0x15 },
    'with another name inside': { credentialId: Buffer.alloc(32, 7) },
    'with no name inside': { credentialId: none },
    'with a name of four thousand bytes': { credentialId: randomBytes(4000) },
    'with a name longer than it is': { cose: none, credentialId: none },
    'with a key of no algorithm': cose(2, undefined, 1),
    'with an algorithm that is a word': cose(2, 'ES256'),
    'with a secret for a key': cose(4, 5, Buffer.alloc(32)),
    'with no algorithm at all': cose(2, 0),
    'with a key that is no map': { cose: cbor('key') },
    'with a key and more': { cose: more },
    'in lists within lists': deep(0x81),
    'in tags within tags': deep(0xc1),
    'in maps within maps': deep(0xa1),
    'with a list of more than there is': raw('9bffffffffffffffff'),
    'with a text of more than there is': raw('7affffffff61'),
    'of no end': raw('bf9f'),
    'of no length': raw(''),
    'that is not the kind it says': { statement: cbor(another) },
    'that is no base64url': parts({ attestationObject: '%' }),
    'that is a list': parts({ attestationObject: [1] }),
    'with transports of no kind': parts({ transports: 7 }),
    'with a transport that is no text': parts({
      transports: [{ toString: 1 }],
    }),
    'with transports that no text may have': parts({ transports: ['a\0b'] }),
  };
  for (const [name, wrong] of Object.entries(NEW)) {
    it(`are not made ${name}`, async () => {
      const code = await inviteCode(test, 'carl', 'viewer');
      const before = await passkeys();
      const browser = new Browser(test);
      const how = typeof wrong === 'function' ? 'change' : 'twist';
      const answer = await enrol(code, { browser, [how]: wrong });
      expect(answer.status, answer.text).to.equal(400);
      expect(browser.cookie).to.equal(null);
      expect(await passkeys()).to.equal(before);
      // The link is as good as before.
      const look = await browser.post('/setup/look', { code });
      expect(look.status, look.text).to.equal(200);
    });
  }

  const x = Buffer.alloc(32, 1);
  const rsa = Buffer.alloc(256, 3);
  const CONFUSED: Record<string, Twist> = {
    'a point that is not on its curve': cose(2, -7, 1, x, x),
    'the curve of another algorithm': cose(2, -7, 2, x, x),
    'a key of RSA under ES256': cose(3, -7, rsa, Buffer.of(3)),
    'an exponent of one': cose(3, -257, rsa, Buffer.of(1)),
    'a secret under ES256': cose(4, -7, x),
    'a point of no length': cose(2, -7, 1, none, x),
  };
  for (const [name, twist] of Object.entries(CONFUSED)) {
    it(`open nothing with ${name}`, async () => {
      const code = await inviteCode(test, 'dora', 'viewer');
      const device = new Authenticator(HOME);
      const made = await enrol(code, { device, twist });
      expect(made.status, made.text).to.be.oneOf([201, 400]);
      const [answer] = await signIn({ device });
      expect(answer.status, answer.text).to.equal(401);
    });
  }
});

const ES256 = -7;

type Attested = [format: string, statement: Map<string, Value>];

describe('attestations of new passkeys', () => {
  const { test, enrol } = givenPasskeys();
  const maker = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const leaf = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = { subject: { [CN]: 'Maker' }, key: maker.privateKey };
  let canary: Serving;
  /** What the addresses of lists of revoked certificates were asked for. */
  const asked: string[] = [];
  let revoked: string;
  let root: Buffer;

  before(async () => {
    const server = createServer(({ url }, res) => {
      asked.push(url ?? '');
      res.end();
    });
    canary = await serving(server);
    revoked = `${canary.url}/revoked`;
    const { publicKey } = maker;
    root = certificate({ ...issuer, publicKey, issuer, revoked });
  });

  after(() => canary.stop());

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
