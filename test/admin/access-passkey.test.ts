import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { startBoard, type TestBoard } from '../support/board.js';
import { Authenticator, type Twist } from './access-authenticator.js';
import { Browser, codeIn } from './access-browser.js';
import { firstLink, inviteCode } from './access-link.js';

const MINUTE = 60_000;
const HOME = 'https://board.example';

async function enrolled(
  browser: Browser,
  code: string,
  chosen: object = {},
): Promise<Authenticator> {
  const device = new Authenticator(browser.origin);
  const asked = await browser.post('/setup/passkey/options', {
    code,
    ...chosen,
  });
  expect(asked.status, asked.text).to.equal(200);
  const response = device.create(asked.body.options);
  const done = await browser.post('/setup/passkey', {
    ...{ code, ...chosen, response, label: 'my key' },
  });
  expect(done.status, done.text).to.equal(201);
  expect(done.body.recovery_codes).to.have.length(10);
  return device;
}

async function signedIn(
  browser: Browser,
  device: Authenticator,
  twist: Twist = {},
) {
  const asked = await browser.post('/sign-in/passkey/options');
  expect(asked.body.options.allowCredentials ?? []).to.deep.equal([]);
  const response = device.get(asked.body.options, twist);
  return await browser.post('/sign-in/passkey', { response });
}

describe('passkeys', () => {
  let test: TestBoard;
  let browser: Browser;
  let device: Authenticator;

  beforeEach(async () => {
    test = await startBoard({ env: { BASE_URL: HOME } });
    browser = new Browser(test);
    const code = codeIn(await firstLink(test));
    device = await enrolled(browser, code, { name: 'root', alias: 'Warden' });
  });

  afterEach(() => test.stop());

  it('enrol with the link and sign in, under a __Host- cookie', async () => {
    expect(browser.cookie).to.match(/^__Host-reserve-operator=/);
    const other = new Browser(test);
    const answer = await signedIn(other, device);
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.body.operator).to.include({ name: 'root', alias: 'Warden' });
    const [line] = answer.headers['set-cookie'] as unknown as string[];
    expect(line).to.match(
      /^__Host-reserve-operator=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict; Secure$/,
    );
    const state = await other.get('/access');
    expect(state.body.methods).to.deep.equal(['passkey', 'passphrase']);
    const { body } = await other.get('/credentials');
    expect(body.passkeys).to.have.length(1);
    expect(body.passkeys[0]).to.include({ label: 'my key' });
    expect(body.passphrase).to.equal(null);
  });

  const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const twists: Record<string, Twist> = {
    'another origin': { origin: 'https://board.example.evil.test' },
    'plain http': { origin: 'http://board.example' },
    'another relying party': { rpId: 'example' },
    'a challenge of its own': {
      challenge: Buffer.alloc(56, 7).toString('base64url'),
    },
    'an enrolment': { type: 'webauthn.create' },
    'nobody there': { flags: 0 },
    'an owner not verified': { flags: 1 },
    'another key': { key: foreign.privateKey },
    'a counter that went back': { counter: 1 },
  };
  for (const [name, twist] of Object.entries(twists)) {
    it(`refuse ${name}`, async () => {
      const stranger = new Browser(test);
      const answer = await signedIn(stranger, device, twist);
      expect(answer.status, answer.text).to.equal(401);
      expect(answer.body.scope).to.equal('sign_in');
      expect(stranger.cookie).to.equal(null);
    });
  }

  it('are refused when nobody knows them', async () => {
    const stranger = new Authenticator(HOME);
    expect((await signedIn(new Browser(test), stranger)).status).to.equal(401);
  });

  it('answer a challenge once, and within ten minutes', async () => {
    const other = new Browser(test);
    const asked = await other.post('/sign-in/passkey/options');
    const response = device.get(asked.body.options);
    const send = () => other.post('/sign-in/passkey', { response });
    expect((await send()).status).to.equal(200);
    expect((await send()).status).to.equal(401);
    const late = await other.post('/sign-in/passkey/options');
    test.clock.advance(10 * MINUTE);
    const answer = await other.post('/sign-in/passkey', {
      response: device.get(late.body.options),
    });
    expect(answer.status).to.equal(401);
  });

  it('answer for the purpose they were asked for', async () => {
    const stepUp = await browser.post('/step-up/passkey/options');
    const misused = await new Browser(test).post('/sign-in/passkey', {
      response: device.get(stepUp.body.options),
    });
    expect(misused.status).to.equal(401);
    const signIn = await browser.post('/sign-in/passkey/options');
    const reverse = await browser.post('/step-up/passkey', {
      response: device.get(signIn.body.options),
    });
    expect(reverse.status).to.equal(401);
  });

  it('step up: fresh again, under another cookie', async () => {
    test.clock.advance(10 * MINUTE);
    const stale = await browser.post('/credentials/recovery');
    expect(stale.status).to.equal(401);
    expect(stale.body.scope).to.equal('step_up');
    const before = browser.cookie;
    const asked = await browser.post('/step-up/passkey/options');
    const answer = await browser.post('/step-up/passkey', {
      response: device.get(asked.body.options),
    });
    expect(answer.status, answer.text).to.equal(200);
    expect(browser.cookie).not.to.equal(before);
    expect((await browser.post('/credentials/recovery')).status).to.equal(200);
  });

  it('of another operator are no step-up', async () => {
    const code = await inviteCode(test, 'anna', 'viewer');
    const anna = new Browser(test);
    const key = await enrolled(anna, code);
    const asked = await browser.post('/step-up/passkey/options');
    const answer = await browser.post('/step-up/passkey', {
      response: key.get(asked.body.options),
    });
    expect(answer.status).to.equal(401);
  });

  it('are added, and removed but for the last', async () => {
    const second = new Authenticator(HOME);
    const asked = await browser.post('/credentials/passkey/options');
    expect(asked.body.options.excludeCredentials).to.have.length(1);
    const response = second.create(asked.body.options);
    const added = await browser.post('/credentials/passkey', { response });
    expect(added.status, added.text).to.equal(201);
    const again = await browser.post('/credentials/passkey', { response });
    expect(again.status).to.equal(401);
    const other = new Browser(test);
    expect((await signedIn(other, second)).status).to.equal(200);
    const remove = (it: Authenticator) =>
      browser.post(
        `/credentials/passkey/${it.id.toString('base64url')}/remove`,
      );
    expect((await remove(second)).status).to.equal(200);
    expect((await remove(second)).status).to.equal(404);
    expect((await remove(device)).status).to.equal(403);
    const code = await inviteCode(test, 'anna', 'admin');
    const anna = new Browser(test);
    const hers = await enrolled(anna, code);
    expect((await remove(hers)).status, 'of another').to.equal(404);
    expect((await signedIn(anna, hers)).status).to.equal(200);
    expect((await signedIn(new Browser(test), second)).status).to.equal(401);
    expect((await other.get('/sessions')).status).to.equal(401);
  });
});

describe('where a passkey is not possible', () => {
  const CASES: [base: string, origin: string, passkeys: boolean][] = [
    ['http://board.test', 'http://board.test', false],
    ['http://203.0.113.9:8080', 'http://203.0.113.9:8080', false],
    ['https://203.0.113.9', 'https://203.0.113.9', false],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080', false],
    ['http://127.0.0.1:8080', 'http://localhost:8080', true],
    ['http://localhost:8080', 'http://localhost:8080', true],
    ['https://board.example', 'https://board.example', true],
  ];
  for (const [base, origin, passkeys] of CASES) {
    const what = passkeys ? 'both are' : 'only a passphrase is';
    it(`${what} offered at ${origin} of ${base}`, async () => {
      const test = await startBoard({ env: { BASE_URL: base } });
      const browser = new Browser(test, { origin });
      const code = codeIn(await firstLink(test));
      const { body } = await browser.post('/setup/look', { code });
      const expected = passkeys ? ['passkey', 'passphrase'] : ['passphrase'];
      expect(body.methods).to.deep.equal(expected);
      const state = await browser.get('/access');
      expect(state.body.methods).to.deep.equal(expected);
      const asked = await browser.post('/setup/passkey/options', { code });
      expect(asked.status).to.equal(passkeys ? 200 : 403);
      await test.stop();
    });
  }

  it('a loopback node prints a link to localhost', async () => {
    for (const base of ['http://127.0.0.1:8080', 'http://localhost:8080']) {
      const test = await startBoard({ env: { BASE_URL: base } });
      expect(await firstLink(test)).to.match(
        /^http:\/\/localhost:8080\/admin\/setup#/,
      );
      await test.stop();
    }
  });

  it('and the page of localhost enrols one that works there', async () => {
    const test = await startBoard({
      env: { BASE_URL: 'http://127.0.0.1:8080' },
    });
    const browser = new Browser(test, { origin: 'http://localhost:8080' });
    const code = codeIn(await firstLink(test));
    const device = await enrolled(browser, code, { name: 'root' });
    expect(browser.cookie).to.match(/^reserve-operator-8080=/);
    const again = new Browser(test, { origin: 'http://localhost:8080' });
    expect((await signedIn(again, device)).status).to.equal(200);
    await test.stop();
  });
});
