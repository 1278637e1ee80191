import type { Role } from '../../server/dashboard/roles.js';
import { startBoard } from '../support/board.js';
import { randomUUID } from '../support/random.js';
import { Authenticator } from './access-authenticator.js';
import { Browser, codeIn } from './access-browser.js';
import { firstLink, inviteCode } from './access-link.js';
import { givenPasskeys, HOME, MINUTE } from './access-passkeys.js';

describe('passkeys', () => {
  const { test, root, key, enrol, signIn } = givenPasskeys();

  async function enrolled(role: Role = 'viewer') {
    const code = await inviteCode(test, randomUUID().slice(0, 8), role);
    const [browser, device] = [new Browser(test), new Authenticator(HOME)];
    const { status, text, body } = await enrol(code, { browser, device });
    expect(status, text).to.equal(201);
    expect(body.recovery_codes).to.have.length(10);
    return { browser, device };
  }

  it('enrol with the link and sign in, under a __Host- cookie', async () => {
    expect(root.cookie).to.match(/^__Host-reserve-operator=/);
    const { body: asked } = await root.post('/sign-in/passkey/options');
    expect(asked.options.allowCredentials ?? []).to.deep.equal([]);
    const [answer, other] = await signIn();
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

  it('are refused when nobody knows them', async () => {
    const [{ status }] = await signIn({ device: new Authenticator(HOME) });
    expect(status).to.equal(401);
  });

  it('answer a challenge within ten minutes', async () => {
    const other = new Browser(test);
    const late = await other.post('/sign-in/passkey/options');
    test.clock.advance(10 * MINUTE);
    const answer = await other.post('/sign-in/passkey', {
      response: key.get(late.body.options),
    });
    expect(answer.status).to.equal(401);
  });

  it('step up: fresh again, under another cookie', async () => {
    const { browser, device } = await enrolled();
    test.clock.advance(10 * MINUTE);
    const stale = await browser.post('/credentials/recovery');
    expect(stale.status).to.equal(401);
    expect(stale.body.scope).to.equal('step_up');
    const before = browser.cookie;
    const stepUp = async (by: Authenticator) => {
      const { body } = await browser.post('/step-up/passkey/options');
      const response = by.get(body.options);
      return (await browser.post('/step-up/passkey', { response })).status;
    };
    expect(await stepUp(key), 'of another operator').to.equal(401);
    expect(await stepUp(device)).to.equal(200);
    expect(browser.cookie).not.to.equal(before);
    expect((await browser.post('/credentials/recovery')).status).to.equal(200);
  });

  it('are added, and removed but for the last', async () => {
    const { browser, device } = await enrolled('admin');
    const second = new Authenticator(HOME);
    const asked = await browser.post('/credentials/passkey/options');
    expect(asked.body.options.excludeCredentials).to.have.length(1);
    const response = second.create(asked.body.options);
    const added = await browser.post('/credentials/passkey', { response });
    expect(added.status, added.text).to.equal(201);
    const again = await browser.post('/credentials/passkey', { response });
    expect(again.status).to.equal(401);
    const [{ status }, other] = await signIn({ device: second });
    expect(status).to.equal(200);
    const remove = async (it: Authenticator) => {
      const id = it.id.toString('base64url');
      const path = `/credentials/passkey/${id}/remove`;
      return (await browser.post(path)).status;
    };
    expect(await remove(second)).to.equal(200);
    expect(await remove(second)).to.equal(404);
    expect(await remove(device)).to.equal(403);
    expect(await remove(key), 'of another').to.equal(404);
    expect((await signIn())[0].status).to.equal(200);
    expect((await signIn({ device: second }))[0].status).to.equal(401);
    expect((await other.get('/sessions')).status).to.equal(401);
  });
});

describe('where a passkey is not possible', () => {
  /** Whether it is, by the address of the board and that of the page. */
  const BASES: Record<string, Record<string, boolean>> = {
    'http://board.test': { 'http://board.test': false },
    'http://203.0.113.9:8080': { 'http://203.0.113.9:8080': false },
    'https://203.0.113.9': { 'https://203.0.113.9': false },
    'http://127.0.0.1:8080': {
      'http://127.0.0.1:8080': false,
      'http://localhost:8080': true,
    },
    'http://localhost:8080': { 'http://localhost:8080': true },
    [HOME]: { [HOME]: true },
  };
  for (const [base, origins] of Object.entries(BASES)) {
    it(`a passphrase is offered by the board at ${base}`, async () => {
      const test = await startBoard({ env: { BASE_URL: base } });
      const link = await firstLink(test);
      const code = codeIn(link);
      for (const [origin, passkeys] of Object.entries(origins)) {
        const browser = new Browser(test, { origin });
        const { body } = await browser.post('/setup/look', { code });
        const expected = passkeys ? ['passkey', 'passphrase'] : ['passphrase'];
        expect(body.methods, origin).to.deep.equal(expected);
        const state = await browser.get('/access');
        expect(state.body.methods, origin).to.deep.equal(expected);
        const asked = await browser.post('/setup/passkey/options', { code });
        expect(asked.status, origin).to.equal(passkeys ? 200 : 403);
      }
      if (base.endsWith(':8080') && 'http://localhost:8080' in origins) {
        expect(link).to.match(/^http:\/\/localhost:8080\/admin\/setup#/);
        const browser = new Browser(test, { origin: 'http://localhost:8080' });
        const device = new Authenticator(browser.origin);
        const asked = await browser.post('/setup/passkey/options', { code });
        const made = await browser.post('/setup/passkey', {
          ...{ code, name: 'root' },
          response: device.create(asked.body.options),
        });
        expect(made.status, made.text).to.equal(201);
        expect(browser.cookie).to.match(/^reserve-operator-8080=/);
        const { body } = await browser.post('/sign-in/passkey/options');
        const response = device.get(body.options);
        const again = await browser.post('/sign-in/passkey', { response });
        expect(again.status, again.text).to.equal(200);
      }
      await test.stop();
    });
  }
});
