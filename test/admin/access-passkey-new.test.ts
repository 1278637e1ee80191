import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { randomBytes } from '../support/random.js';
import {
  Authenticator,
  cbor,
  coseKey,
  type Twist,
  type Value,
} from './access-authenticator.js';
import { Browser } from './access-browser.js';
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
