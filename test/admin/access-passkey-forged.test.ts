import { generateKeyPairSync, sign } from 'node:crypto';
import type { Request } from 'express';
import type { Proven } from '../../server/dashboard/auth/attempts.js';
import { isDerSignature } from '../../server/dashboard/auth/der-signature.js';
import {
  passkeyQuestion,
  provePasskey,
} from '../../server/dashboard/auth/passkey.js';
import { Authenticator, type Twist } from './access-authenticator.js';
import { Browser } from './access-browser.js';
import { inviteCode } from './access-link.js';
import {
  type Answer,
  type Change,
  client,
  EVIL,
  givenPasskeys,
  HOME,
  MINUTE,
  parts,
} from './access-passkeys.js';

type Given = { id: string; response: { clientDataJSON: string } };

const members =
  (more: object): Change =>
  (it) => ({ ...it, ...more });

const b64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const spelled = (challenge: string) => [...Buffer.from(challenge, 'base64url')];

/** DER of the two numbers of a signature. */
const der = (r: number[], s: number[]) =>
  Buffer.of(
    ...[0x30, r.length + s.length + 4, 2, r.length, ...r],
    ...[2, s.length, ...s],
  );

/** Of each curve; one in 128 has a number that is a byte shorter. */
const SIGNATURES = 100;

const framed = (head: number[], it: Buffer, ...tail: number[]) =>
  Buffer.concat([Buffer.from(head), it.subarray(2), Buffer.from(tail)]);

/** The same two numbers, as DER does not write them. */
const FORMS: Record<string, (it: Buffer) => Buffer> = {
  'a byte behind it': (it) => Buffer.concat([it, Buffer.of(1)]),
  'itself behind it': (it) => Buffer.concat([it, it]),
  'a length of two bytes': (it) => framed([0x30, 0x81, it.length - 2], it),
  'an open end': (it) => framed([0x30, 0x80], it, 0, 0),
  'a third number': (it) => framed([0x30, it.length + 1], it, 2, 1, 1),
  'another class': (it) => framed([0xb0, it.length - 2], it),
  'a length that is too short': (it) => framed([0x30, it.length - 3], it),
};

const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' });

describe('forged answers of passkeys', () => {
  const { test, key, enrol, signIn, passkeys } = givenPasskeys();

  const FORGED: Record<string, Twist> = {
    'a page of another name': { origin: `${HOME}.evil.test` },
    'plain http': { origin: 'http://board.example' },
    'another relying party': { rpId: 'example' },
    'a challenge of its own': { challenge: b64(Buffer.alloc(56, 7)) },
    'an enrolment': { type: 'webauthn.create' },
    'nobody there': { flags: 0 },
    'an owner not verified': { flags: 1 },
    'another key': { key: foreign.privateKey },
    'a counter that went back': { counter: 1 },
    'a frame of another page': client({ crossOrigin: true }),
    'a frame of a page by name': client({ crossOrigin: true, topOrigin: EVIL }),
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
      const [answer, browser] = await signIn({ twist });
      expect(answer.status, answer.text).to.equal(401);
      expect(answer.body.scope).to.equal('sign_in');
      expect([browser.cookie, browser.device]).to.deep.equal([null, null]);
      expect((await signIn())[0].status, 'the true one').to.equal(200);
    });
  }

  const order = Buffer.from(
    'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551',
    'hex',
  );
  const n = [0, ...order];
  const text = (it: string) => b64(Buffer.from(it));
  const CHANGED: Record<string, [status: number, change: Change]> = {
    'a signature of two zeros': [401, parts({ signature: b64(der([0], [0])) })],
    'a signature of the order': [401, parts({ signature: b64(der(n, n)) })],
    'an empty signature': [401, parts({ signature: '' })],
    'no signature': [401, parts({ signature: undefined })],
    'a signature that is a list': [401, parts({ signature: [1, 2] })],
    'a signature that is no base64url': [401, parts({ signature: '%%%' })],
    'a long signature': [401, parts({ signature: 'A'.repeat(50_000) })],
    'a short statement': [401, parts({ authenticatorData: b64(order) })],
    'no statement': [401, parts({ authenticatorData: undefined })],
    'a statement in figures': [401, parts({ authenticatorData: 7 })],
    'client data that is null': [401, parts({ clientDataJSON: text('null') })],
    'client data that is no JSON': [401, parts({ clientDataJSON: text('{') })],
    'long client data': [422, parts({ clientDataJSON: 'A'.repeat(4001) })],
    'client data that is a list': [400, parts({ clientDataJSON: [] })],
    'an owner of another kind': [401, parts({ userHandle: { a: 1 } })],
    'no name': [401, members({ id: '', rawId: '' })],
    'two names': [401, members({ rawId: 'AAAA' })],
    'a name that is too long': [422, members({ id: 'A'.repeat(1401) })],
    'a name that is a list': [400, members({ id: ['AAAA'] })],
    'another kind of credential': [400, members({ type: 'password' })],
    'a letter that no text may have': [400, members({ extra: 'a\0b' })],
    'half a letter': [400, parts({ extra: '\ud800' })],
    'no object': [400, () => 'answer'],
    nothing: [400, () => null],
  };
  for (const [name, [status, change]] of Object.entries(CHANGED)) {
    it(`open nothing by ${name}`, async () => {
      const [answer, browser] = await signIn({ change });
      expect(answer.status, answer.text).to.equal(status);
      expect([browser.cookie, browser.device]).to.deep.equal([null, null]);
    });
  }

  for (const [name, form] of Object.entries(FORMS)) {
    it(`open nothing with a signature that has ${name}`, async () => {
      const change: Change = (it) => {
        const bytes = Buffer.from(String(it.response.signature), 'base64url');
        return parts({ signature: b64(form(bytes)) })(it);
      };
      const [{ status, text: said }, browser] = await signIn({ change });
      expect(status, said).to.equal(401);
      expect([browser.cookie, browser.device]).to.deep.equal([null, null]);
      expect((await signIn())[0].status, 'as it is').to.equal(200);
    });
  }

  it('may say more than they have to, which means nothing', async () => {
    const [answer] = await signIn({
      twist: client({ extra: { crossOrigin: true }, __proto__: null }),
      change: (it) => ({
        ...(parts({ x: 1, publicKey: 'AAAA' })(it) as object),
        ...{ counter: 9, operatorId: 'x', clientExtensionResults: { a: [1] } },
      }),
    });
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
      const [answer] = await signIn({ twist: client({ challenge: other }) });
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
    const { body } = await mine.post('/sign-in/passkey/options');
    const reverse = { response: key.get(body.options) };
    const stepUp = await mine.post('/step-up/passkey', reverse);
    expect(stepUp.status).to.equal(401);
    expect(await passkeys()).to.equal(1);
  });

  it('move the counter of a passkey on, and never back to none', async () => {
    const { context } = test.board;
    const device = new Authenticator(HOME);
    const code = await inviteCode(test, 'dora', 'viewer');
    const made = await enrol(code, { device, twist: { counter: 0 } });
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

describe('signatures of passkeys', () => {
  for (const namedCurve of ['P-256', 'P-384']) {
    it(`of ${namedCurve} have one form for all numbers`, () => {
      const { privateKey } = generateKeyPairSync('ec', { namedCurve });
      for (let n = 0; n < SIGNATURES; n += 1) {
        const bytes = sign('sha256', Buffer.from(`${n}`), privateKey);
        const shown = bytes.toString('hex');
        expect(isDerSignature(bytes), shown).to.equal(true);
        for (const [name, form] of Object.entries(FORMS)) {
          const changed = isDerSignature(form(bytes));
          expect(changed, `${name}: ${shown}`).to.equal(false);
        }
      }
    });
  }

  it('have no number that is negative, empty or longer than it has to be', () => {
    for (const fine of [[1], [0x7f, 0xff], [0, 0x80], [0, 0xff, 1]]) {
      expect(isDerSignature(der(fine, [1])), String(fine)).to.equal(true);
      expect(isDerSignature(der([1], fine)), String(fine)).to.equal(true);
    }
    for (const wrong of [[], [0], [0x80], [0xff, 1], [0, 0x7f], [0, 0, 0x80]]) {
      expect(isDerSignature(der(wrong, [1])), String(wrong)).to.equal(false);
      expect(isDerSignature(der([1], wrong)), String(wrong)).to.equal(false);
    }
    expect(isDerSignature(Buffer.alloc(0))).to.equal(false);
  });
});
