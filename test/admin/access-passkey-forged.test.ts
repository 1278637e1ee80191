import { expect } from 'chai';
import type { Request } from 'express';
import type { Response } from 'supertest';
import type { Proven } from '../../server/dashboard/auth/attempts.js';
import {
  passkeyQuestion,
  provePasskey,
} from '../../server/dashboard/auth/passkey.js';
import { startBoard, type TestBoard } from '../support/board.js';
import { Authenticator, type Twist } from './access-authenticator.js';
import { Browser, codeIn } from './access-browser.js';
import { firstLink, inviteCode } from './access-link.js';

const HOME = 'https://board.example';
const MINUTE = 60_000;
const EVIL = 'https://evil.example';

type Given = { id: string; response: { clientDataJSON: string } };
type Answer = Record<string, unknown> & { response: Record<string, unknown> };

/** What a page sends in the place of an answer. */
type Change = (answer: Answer) => unknown;

const members =
  (more: object): Change =>
  (it) => ({ ...it, ...more });
const parts =
  (more: object): Change =>
  (it) => ({ ...it, response: { ...it.response, ...more } });

const b64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const client = (more: Record<string, unknown>): Twist => ({ client: more });
const spelled = (challenge: string) => [...Buffer.from(challenge, 'base64url')];

/** DER of the two numbers of a signature. */
const der = (r: number[], s: number[]) =>
  Buffer.of(
    0x30,
    r.length + s.length + 4,
    2,
    r.length,
    ...r,
    2,
    s.length,
    ...s,
  );

describe('forged answers of passkeys', () => {
  let test: TestBoard;
  let root: Browser;
  let key: Authenticator;

  before(async () => {
    test = await startBoard({ env: { BASE_URL: HOME } });
    root = new Browser(test);
    key = new Authenticator(HOME);
    const code = codeIn(await firstLink(test));
    const made = await enrol(root, code, key, {}, { name: 'root' });
    expect(made.status, made.text).to.equal(201);
  });

  // The limits of attempts have tests of their own.
  beforeEach(() => test.clock.advance(16 * MINUTE));

  after(() => test.stop());

  async function enrol(
    browser: Browser,
    code: string,
    device: Authenticator,
    twist: Twist = {},
    more: object = {},
  ): Promise<Response> {
    const asked = await browser.post('/setup/passkey/options', { code });
    const response = device.create(asked.body.options, twist);
    return await browser.post('/setup/passkey', { code, ...more, response });
  }

  async function signIn(
    twist: Twist = {},
    change: Change = (it) => it,
  ): Promise<[Response, Browser]> {
    const browser = new Browser(test);
    const { body } = await browser.post('/sign-in/passkey/options');
    const response = change(key.get(body.options, twist) as Answer);
    return [await browser.post('/sign-in/passkey', { response }), browser];
  }

  async function rows(): Promise<number> {
    const [row] = await test.board.context.writes.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM operator_passkey',
    );
    return row?.n ?? 0;
  }

  const FORGED: Record<string, Twist> = {
    'a frame of another page': client({ crossOrigin: true }),
    'a frame of a page by name': client({
      crossOrigin: true,
      topOrigin: EVIL,
    }),
    'a page above it': client({ topOrigin: EVIL }),
    'a page above it that is its own': client({ topOrigin: HOME }),
    'a frame in other words': client({ crossOrigin: 'yes' }),
    'a frame in figures': client({ crossOrigin: 1 }),
    'two origins': client({ origin: [HOME, EVIL] }),
    'an origin with a slash': client({ origin: `${HOME}/` }),
    'an origin in capitals': client({ origin: HOME.toUpperCase() }),
    'an origin with its port': client({ origin: `${HOME}:443` }),
    'a page below': client({ origin: 'https://a.board.example' }),
    'no origin': client({ origin: undefined }),
    'no type': client({ type: undefined }),
    'two types': client({ type: ['webauthn.get'] }),
    'a payment': client({ type: 'payment.get' }),
    'no challenge': client({ challenge: undefined }),
    'a challenge in figures': client({ challenge: 7 }),
    'no challenge but null': client({ challenge: null }),
    'a bound token of no kind': client({ tokenBinding: { status: 'x' } }),
    'a bound token that is no object': client({ tokenBinding: 'present' }),
    'no relying party': { rpId: '' },
    'a party of the whole domain': { rpId: 'board.example.' },
    'a party with its scheme': { rpId: HOME },
    'an owner verified but not there': { flags: 4 },
    'a copy that may not be copied': { flags: 0x15 },
    'a key where none belongs': { flags: 0x45 },
    'extensions that are not there': { flags: 0x85 },
    'no counter after one that counted': { counter: 0 },
  };
  for (const [name, twist] of Object.entries(FORGED)) {
    it(`open nothing by ${name}`, async () => {
      const [answer, browser] = await signIn(twist);
      expect(answer.status, answer.text).to.equal(401);
      expect(answer.body.scope).to.equal('sign_in');
      expect([browser.cookie, browser.device]).to.deep.equal([null, null]);
      expect((await signIn())[0].status, 'the true one').to.equal(200);
    });
  }

  const n = Buffer.from(
    'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551',
    'hex',
  );
  const CHANGED: Record<string, [change: Change, statuses: number[]]> = {
    'a signature of two zeros': [
      parts({ signature: b64(der([0], [0])) }),
      [401],
    ],
    'a signature of the order': [
      parts({ signature: b64(der([0, ...n], [0, ...n])) }),
      [401],
    ],
    'an empty signature': [parts({ signature: '' }), [401]],
    'no signature': [parts({ signature: undefined }), [401]],
    'a signature that is a list': [parts({ signature: [1, 2] }), [401]],
    'a signature that is no base64url': [parts({ signature: '%%%' }), [401]],
    'a signature of fifty thousand letters': [
      parts({ signature: 'A'.repeat(50_000) }),
      [401],
    ],
    'a short statement': [parts({ authenticatorData: b64(n) }), [401]],
    'no statement': [parts({ authenticatorData: undefined }), [401]],
    'a statement in figures': [parts({ authenticatorData: 7 }), [401]],
    'client data that is null': [
      parts({ clientDataJSON: b64(Buffer.from('null')) }),
      [401],
    ],
    'client data that is no JSON': [
      parts({ clientDataJSON: b64(Buffer.from('{')) }),
      [401],
    ],
    'client data that is too long': [
      parts({ clientDataJSON: 'A'.repeat(4001) }),
      [422],
    ],
    'client data that is a list': [parts({ clientDataJSON: [] }), [400]],
    'an owner of another kind': [parts({ userHandle: { a: 1 } }), [401]],
    'no name': [members({ id: '', rawId: '' }), [401]],
    'two names': [members({ rawId: 'AAAA' }), [401]],
    'a name that is too long': [members({ id: 'A'.repeat(1401) }), [422]],
    'a name that is a list': [members({ id: ['AAAA'] }), [400]],
    'another kind of credential': [members({ type: 'password' }), [400]],
    'a letter that no text may have': [members({ extra: 'a\0b' }), [400]],
    'half a letter': [parts({ extra: '\ud800' }), [400]],
    'no object': [() => 'answer', [400]],
    nothing: [() => null, [400]],
  };
  for (const [name, [change, statuses]] of Object.entries(CHANGED)) {
    it(`open nothing by ${name}`, async () => {
      const [answer, browser] = await signIn({}, change);
      expect(answer.status, answer.text).to.be.oneOf(statuses);
      expect([browser.cookie, browser.device]).to.deep.equal([null, null]);
    });
  }

  it('may say more than they have to, which means nothing', async () => {
    const [answer] = await signIn(
      client({ extra: { crossOrigin: true }, __proto__: null }),
      (it) => ({
        ...(parts({ x: 1, publicKey: 'AAAA' })(it) as object),
        ...{ counter: 9, operatorId: 'x', clientExtensionResults: { a: [1] } },
      }),
    );
    expect(answer.status, answer.text).to.equal(200);
  });

  it('open nothing twice, however the challenge is spelled', async () => {
    const browser = new Browser(test);
    const { body } = await browser.post('/sign-in/passkey/options');
    const { options } = body;
    const { challenge } = options as { challenge: string };
    const bytes = spelled(challenge);
    const first = { response: key.get(options) };
    const once = await browser.post('/sign-in/passkey', first);
    expect(once.status, once.text).to.equal(200);
    for (const other of [
      ...[challenge, `${challenge}=`, `${challenge}==`, ` ${challenge}`],
      ...[challenge.replaceAll('-', '+').replaceAll('_', '/')],
      ...[bytes, { type: 'Buffer', data: bytes }],
      { ...bytes, length: bytes.length },
    ]) {
      const [answer] = await signIn(client({ challenge: other }));
      expect(answer.status, JSON.stringify(other)).to.equal(401);
      test.clock.advance(4 * MINUTE);
    }
  });

  it('open one session of many that come at the same moment', async () => {
    const browser = new Browser(test);
    const { body } = await browser.post('/sign-in/passkey/options');
    const response = key.get(body.options);
    const all = await Promise.all(
      Array.from({ length: 5 }, () =>
        new Browser(test).post('/sign-in/passkey', { response }),
      ),
    );
    const statuses = all.map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([200, 401, 401, 401, 401]);
  });

  it('answer for their own session and their own purpose', async () => {
    const [first, mine] = await signIn();
    expect(first.status).to.equal(200);
    const [second, other] = await signIn();
    expect(second.status).to.equal(200);
    const paths = ['/step-up/passkey', '/credentials/passkey'] as const;
    for (const path of paths) {
      const asked = await mine.post(`${path}/options`);
      expect(asked.status, asked.text).to.equal(200);
      const { options } = asked.body;
      const made = new Authenticator(HOME);
      const wrong = [
        ['/step-up/passkey', key.get(options)],
        ['/credentials/passkey', made.create(options)],
      ] as const;
      for (const [at, response] of wrong) {
        const elsewhere = await other.post(at, { response });
        expect(elsewhere.status, `${path} ${at}`).to.be.oneOf([400, 401]);
        if (at === path) continue;
        const misused = await mine.post(at, { response });
        expect(misused.status, `${path} ${at}`).to.be.oneOf([400, 401]);
      }
      const response = key.get(options);
      const opened = await new Browser(test).post('/sign-in/passkey', {
        response,
      });
      expect(opened.status).to.equal(401);
    }
    expect(await rows()).to.equal(1);
  });

  it('move the counter of a passkey on, and never back to none', async () => {
    const { context } = test.board;
    const device = new Authenticator(HOME);
    const code = await inviteCode(test, 'dora', 'viewer');
    const twist = { counter: 0 };
    const made = await enrol(new Browser(test), code, device, twist);
    expect(made.status, made.text).to.equal(201);
    // Both were checked before either of them was taken.
    const headers = { origin: HOME, host: 'board.example' };
    const req = { headers, socket: {} } as unknown as Request;
    const [counted, none] = await Promise.all(
      [7, 0].map(async (counter) => {
        const options = await passkeyQuestion(context, req, 'sign_in');
        const rp = { challenge: options.challenge, rpId: 'board.example' };
        const answer = device.get(rp, { counter }) as Answer & Given;
        return await provePasskey(context, req, 'sign_in', answer);
      }),
    );
    const take = (it?: Proven | null) =>
      context.writes.transaction(async (tx) => await it?.take(tx));
    expect(await take(counted)).to.equal(true);
    expect(await take(none)).to.equal(false);
  });
});
