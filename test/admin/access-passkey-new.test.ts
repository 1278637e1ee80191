import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import type { Response } from 'supertest';
import { startBoard, type TestBoard } from '../support/board.js';
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

const HOME = 'https://board.example';
const MINUTE = 60_000;
const EVIL = 'https://evil.example';

type Answer = Record<string, unknown> & { response: Record<string, unknown> };
type Change = (answer: Answer) => unknown;

const parts =
  (more: object): Change =>
  (it) => ({ ...it, response: { ...it.response, ...more } });
const client = (more: Record<string, unknown>): Twist => ({ client: more });

describe('new passkeys', () => {
  let test: TestBoard;

  before(async () => {
    test = await startBoard({ env: { BASE_URL: HOME } });
  });

  after(() => test.stop());

  // One network takes only so many steps of set-up in a quarter of an hour.
  afterEach(() => test.clock.advance(16 * MINUTE));

  async function enrol(
    browser: Browser,
    code: string,
    device: Authenticator,
    twist: Twist = {},
    change: Change = (it) => it,
  ): Promise<Response> {
    const asked = await browser.post('/setup/passkey/options', { code });
    const answer = device.create(asked.body.options, twist) as Answer;
    const response = change(answer);
    return await browser.post('/setup/passkey', { code, response });
  }

  async function rows(): Promise<number> {
    const [row] = await test.board.context.writes.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM operator_passkey',
    );
    return row?.n ?? 0;
  }

  it('belong to the link they were asked by', async () => {
    const before = await rows();
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
    expect(await rows()).to.equal(before);
  });

  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
  const cose = (...pairs: [number, Value][]): Twist => ({
    cose: cbor(new Map<number, Value>(pairs)),
  });
  const deep = (first: number, times: number): Twist => ({
    statement: Buffer.alloc(times, first),
  });
  const NEW: Record<string, [twist: Twist, change?: Change]> = {
    'in a frame of another page': [client({ crossOrigin: true })],
    'under a page above it': [client({ topOrigin: EVIL })],
    'of a sign-in': [{ type: 'webauthn.get' }],
    'of another origin': [{ origin: EVIL }],
    'of another relying party': [{ rpId: 'example' }],
    'of nobody there': [{ flags: 4 }],
    'of an owner not verified': [{ flags: 1 }],
    'of a copy that may not be copied': [{ flags: 0x15 }],
    'with another name inside': [{ credentialId: Buffer.alloc(32, 7) }],
    'with no name inside': [{ credentialId: Buffer.alloc(0) }],
    'with a name of four thousand bytes': [{ credentialId: randomBytes(4000) }],
    'with a name longer than it is': [
      { cose: Buffer.alloc(0), credentialId: Buffer.alloc(0) },
    ],
    'with a key of no algorithm': [cose([1, 2], [-1, 1])],
    'with an algorithm that is a word': [cose([1, 2], [3, 'ES256'])],
    'with a secret for a key': [cose([1, 4], [3, 5], [-1, Buffer.alloc(32)])],
    'with no algorithm at all': [cose([1, 2], [3, 0])],
    'with a key that is no map': [{ cose: cbor('key') }],
    'with a key and more': [
      { cose: Buffer.concat([coseKey(ec), Buffer.alloc(4)]) },
    ],
    'in lists within lists': [deep(0x81, 40_000)],
    'in tags within tags': [deep(0xc1, 40_000)],
    'in maps within maps': [deep(0xa1, 40_000)],
    'with a list of more than there is': [
      { statement: Buffer.from('9bffffffffffffffff', 'hex') },
    ],
    'with a text of more than there is': [
      { statement: Buffer.from('7affffffff61', 'hex') },
    ],
    'of no end': [{ statement: Buffer.from('bf9f', 'hex') }],
    'of no length': [{ statement: Buffer.alloc(0) }],
    'that is not the kind it says': [
      {
        statement: cbor(
          new Map<string, Value>([
            ['fmt', 'packed'],
            ['attStmt', new Map([['alg', -7]])],
            ['authData', Buffer.alloc(37)],
          ]),
        ),
      },
    ],
    'that is no base64url': [{}, parts({ attestationObject: '%' })],
    'that is a list': [{}, parts({ attestationObject: [1] })],
    'with transports of no kind': [{}, parts({ transports: 7 })],
    'with a transport that is no text': [
      {},
      parts({ transports: [{ toString: 1 }] }),
    ],
    'with transports that no text may have': [
      {},
      parts({ transports: ['a\0b'] }),
    ],
  };
  for (const [name, [twist, change]] of Object.entries(NEW)) {
    it(`are not made ${name}`, async () => {
      const code = await inviteCode(test, 'carl', 'viewer');
      const before = await rows();
      const browser = new Browser(test);
      const device = new Authenticator(HOME);
      const answer = await enrol(browser, code, device, twist, change);
      expect(answer.status, answer.text).to.equal(400);
      expect(browser.cookie).to.equal(null);
      expect(await rows()).to.equal(before);
      // The link is as good as before.
      const look = await browser.post('/setup/look', { code });
      expect(look.status, look.text).to.equal(200);
    });
  }

  const x = Buffer.alloc(32, 1);
  const rsa = Buffer.alloc(256, 3);
  const CONFUSED: Record<string, Twist> = {
    'a point that is not on its curve': cose(
      ...([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, x],
        [-3, x],
      ] as [number, Value][]),
    ),
    'the curve of another algorithm': cose(
      ...([
        [1, 2],
        [3, -7],
        [-1, 2],
        [-2, x],
        [-3, x],
      ] as [number, Value][]),
    ),
    'a key of RSA under ES256': cose(
      ...([
        [1, 3],
        [3, -7],
        [-1, rsa],
        [-2, Buffer.of(3)],
      ] as [number, Value][]),
    ),
    'an exponent of one': cose(
      ...([
        [1, 3],
        [3, -257],
        [-1, rsa],
        [-2, Buffer.of(1)],
      ] as [number, Value][]),
    ),
    'a secret under ES256': cose([1, 4], [3, -7], [-1, x]),
    'a point of no length': cose(
      ...([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, x.subarray(32)],
        [-3, x],
      ] as [number, Value][]),
    ),
  };
  for (const [name, twist] of Object.entries(CONFUSED)) {
    it(`open nothing with ${name}`, async () => {
      const code = await inviteCode(test, 'dora', 'viewer');
      const device = new Authenticator(HOME);
      const made = await enrol(new Browser(test), code, device, twist);
      expect(made.status, made.text).to.be.oneOf([201, 400]);
      const browser = new Browser(test);
      const asked = await browser.post('/sign-in/passkey/options');
      const response = device.get(asked.body.options);
      const answer = await browser.post('/sign-in/passkey', { response });
      expect(answer.status, answer.text).to.equal(401);
    });
  }
});
