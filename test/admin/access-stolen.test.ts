import { expect } from 'chai';
import { recordFaults } from '../faults/report.js';
import { startBoard, type TestBoard } from '../support/board.js';
import { within } from '../support/full.js';
import { LIFTED } from '../support/lifted.js';
import { until } from '../support/until.js';
import { Authenticator } from './access-authenticator.js';
import { Browser, codeIn } from './access-browser.js';
import { device, firstLink } from './access-link.js';
import { Dashboard } from './dashboard.js';

const TIMES = 20;
const HOME = 'https://board.example';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const GONE_MS = within(1000);

/** G3: what a thief has of a session ends with it, each way twenty times. */
describe('a stolen session', () => {
  let test: TestBoard;
  let key: Authenticator;

  before(async () => {
    test = await startBoard({ limits: LIFTED, env: { BASE_URL: HOME } });
    key = await enrolled(codeIn(await firstLink(test)));
  });

  after(() => test.stop());

  async function enrolled(code: string): Promise<Authenticator> {
    const browser = new Browser(test);
    const made = new Authenticator(browser.origin);
    const { body } = await browser.post('/setup/passkey/options', { code });
    const response = made.create(body.options);
    const asked = { code, response, name: 'root', label: 'a key' };
    const done = await browser.post('/setup/passkey', asked);
    expect(done.status, done.text).to.equal(201);
    return made;
  }

  async function works(cookie: string | null): Promise<boolean> {
    const browser = new Browser(test, { network: '198.51.100.66' });
    browser.cookie = cookie;
    const { status } = await browser.get('/sessions');
    expect(status).to.be.oneOf([200, 401]);
    return status === 200;
  }

  async function withKey(browser: Browser, path: string): Promise<void> {
    const asked = await browser.post(`${path}/options`);
    const response = key.get(asked.body.options);
    const answer = await browser.post(path, { response });
    expect(answer.status, answer.text).to.equal(200);
  }

  /** A browser that came by the key, as often as the limits let it. */
  async function signedIn(cookie: string | null = null): Promise<Browser> {
    test.clock.advance(16 * MINUTE);
    const browser = new Browser(test);
    browser.cookie = cookie;
    await withKey(browser, '/sign-in/passkey');
    return browser;
  }

  const told = (what: string) =>
    recordFaults({ test: `G3 ${what}`, faults: TIMES });

  it('that was planted before the sign-in is not the one after it', async () => {
    for (let n = 0; n < TIMES; n += 1) {
      const planted = `__Host-reserve-operator=${'A'.repeat(41)}${10 + n}`;
      expect(await works(planted)).to.equal(false);
      const browser = await signedIn(planted);
      expect(browser.cookie).not.to.equal(planted);
      expect(await works(planted)).to.equal(false);
      expect(await works(browser.cookie)).to.equal(true);
    }
    await told('fixation');
  });

  it('ends with the step-up that changes its identifier', async () => {
    for (let n = 0; n < TIMES; n += 1) {
      const browser = await signedIn();
      const stolen = browser.cookie;
      expect(await works(stolen)).to.equal(true);
      await withKey(browser, '/step-up/passkey');
      expect(await works(stolen)).to.equal(false);
      expect(await works(browser.cookie)).to.equal(true);
    }
    await told('rotation');
  });

  it('ends with the sign-out', async () => {
    for (let n = 0; n < TIMES; n += 1) {
      const browser = await device(test, 'moderator');
      const stolen = browser.cookie;
      expect(await works(stolen)).to.equal(true);
      expect((await browser.post('/sign-out')).status).to.equal(200);
      expect(await works(stolen)).to.equal(false);
    }
    await told('sign-out');
  });

  it('ends after twelve idle hours', async () => {
    for (let n = 0; n < TIMES; n += 1) {
      const { cookie } = await device(test, 'moderator');
      test.clock.advance(12 * HOUR - 1);
      expect(await works(cookie)).to.equal(true);
      test.clock.advance(12 * HOUR);
      expect(await works(cookie)).to.equal(false);
    }
    await told('idling');
  });

  it('takes its live socket with it when it is revoked', async () => {
    const times = await Promise.all(
      Array.from({ length: TIMES }, async () => {
        const browser = await device(test, 'viewer');
        const cookie = browser.cookie ?? '';
        const made = new Dashboard(test, { cookie, origin: HOME });
        await made.settled();
        await until('a snapshot', () => made.of('snapshot').length === 1);
        const answer = await browser.post(
          `/sessions/${browser.sessionId}/revoke`,
        );
        expect(answer.status, answer.text).to.equal(200);
        const began = performance.now();
        await until('it is closed', () => !made.connected);
        const took = performance.now() - began;
        expect(await works(cookie)).to.equal(false);
        return took;
      }),
    );
    // The best one: another process may take the machine for a moment.
    expect(Math.min(...times)).to.be.below(GONE_MS);
    await told('sockets');
  });
});
