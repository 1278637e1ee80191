import { totpCode } from '../../server/dashboard/auth/totp.js';
import { givenBoard } from '../support/hooks.js';
import { Browser, codeOf, fromBase32, type SetUp } from './access-browser.js';
import { firstAdmin } from './access-link.js';

const MINUTE = 60_000;
const STEP = 30_000;
const WRONG = 'another passphrase altogether';

describe('signing in with a passphrase', () => {
  const test = givenBoard();
  let root: SetUp;

  before(async () => {
    root = await firstAdmin(test);
  });

  // Every test starts with an unused code and an open door.
  beforeEach(() => test.clock.advance(16 * MINUTE));

  const given = (more: object = {}) => ({
    name: 'root',
    passphrase: root.passphrase,
    totp: codeOf(test, root.secret),
    ...more,
  });
  const signIn = (browser: Browser, more: object = {}) =>
    browser.post('/sign-in/passphrase', given(more));

  it('opens a session, whatever case the name is typed in', async () => {
    const browser = new Browser(test);
    const answer = await signIn(browser, { name: ' Root ' });
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.body.operator).to.deep.equal(root.operator);
    expect(browser.cookie).to.match(/^reserve-operator=[A-Za-z0-9_-]{43}$/);
    const [line, known] = answer.headers['set-cookie'] as unknown as string[];
    expect(line).to.match(/; HttpOnly; SameSite=Strict$/);
    expect(known).to.match(
      /^reserve-device=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Strict$/,
    );
    expect((await browser.get('/access')).body.signed_in).to.equal(true);
  });

  it('says the same whatever is wrong, and opens nothing', async () => {
    const next = totpCode(
      fromBase32(root.secret),
      Math.floor(test.clock.now() / STEP) + 2,
    );
    const wrongs = [
      { passphrase: WRONG },
      { totp: '000000' },
      { totp: next },
      { totp: '' },
      { name: 'nobody' },
      { name: "x' OR true --" },
      { name: '' },
      { name: 'root\u0301' },
    ];
    const texts = new Set<string>();
    for (const wrong of wrongs) {
      const browser = new Browser(test);
      const answer = await signIn(browser, wrong);
      expect(answer.status, JSON.stringify(wrong)).to.equal(401);
      expect(answer.headers['set-cookie']).to.equal(undefined);
      texts.add(answer.text);
    }
    expect([...texts]).to.have.length(1);
  });

  it('takes a code as apps show it and people type it', async () => {
    for (const typed of [
      (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`,
      (code: string) =>
        ` ${code.slice(0, 2)}-${code.slice(2, 4)}–${code.slice(4)}\n`,
      (code: string) => [...code].join('\u00a0'),
      (code: string) => `\u200e${code.slice(0, 3)}\u2009${code.slice(3)}\u200b`,
      (code: string) =>
        code.replace(/\d/g, (one) =>
          String.fromCodePoint(0xff10 + Number(one)),
        ),
      (code: string) => `${code.slice(0, 3)}\u202f\u2011\u2212${code.slice(3)}`,
    ]) {
      test.clock.advance(MINUTE);
      const totp = typed(codeOf(test, root.secret));
      const { status } = await signIn(new Browser(test), { totp });
      expect(status, JSON.stringify(totp)).to.equal(200);
    }
    test.clock.advance(MINUTE);
    const code = codeOf(test, root.secret);
    for (const totp of [`${code} 1`, code.slice(1), `x${code}`, `${code}.`]) {
      const { status } = await signIn(new Browser(test), { totp });
      expect(status, totp).to.equal(401);
    }
  });

  it('takes each code once', async () => {
    const code = given();
    const first = await new Browser(test).post('/sign-in/passphrase', code);
    expect(first.status, first.text).to.equal(200);
    const again = await new Browser(test).post('/sign-in/passphrase', code);
    expect(again.status).to.equal(401);
    const stepUp = await root.browser.post('/step-up/passphrase', {
      passphrase: code.passphrase,
      totp: code.totp,
    });
    expect(stepUp.status).to.equal(401);
    test.clock.advance(STEP);
    expect((await signIn(new Browser(test))).status).to.equal(200);
  });

  it('takes a code once of two that come at the same moment', async () => {
    const code = given();
    const answers = await Promise.all(
      [1, 2, 3].map(() => new Browser(test).post('/sign-in/passphrase', code)),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([200, 401, 401]);
  });

  it('is refused with 429 after five failures, right or wrong', async () => {
    for (const name of ['root', 'nobody']) {
      for (let n = 0; n < 5; n += 1) {
        const failed = await signIn(new Browser(test), {
          ...{ name, passphrase: WRONG },
        });
        expect(failed.status).to.equal(401);
      }
      const sixth = await signIn(new Browser(test), { name });
      expect(sixth.status).to.equal(429);
      expect(sixth.body).to.include({
        error: 'rate_limited',
        scope: 'operator_sign_in',
        retry_after_seconds: 900,
      });
      expect(sixth.headers['retry-after']).to.equal('900');
    }
    const elsewhere = new Browser(test, { network: '198.51.100.9' });
    expect((await signIn(elsewhere)).status).to.equal(200);
    test.clock.advance(15 * MINUTE - 1);
    expect((await signIn(new Browser(test))).status).to.equal(429);
    test.clock.advance(1);
    expect((await signIn(new Browser(test))).status).to.equal(200);
  });

  it('counts failures across the midnight that renames networks', async () => {
    const day = 86_400_000;
    const midnight = (Math.floor(test.clock.now() / day) + 1) * day;
    test.clock.set(midnight - MINUTE);
    for (let n = 0; n < 5; n += 1) {
      await signIn(new Browser(test), { passphrase: WRONG });
    }
    test.clock.set(midnight + MINUTE);
    expect((await signIn(new Browser(test))).status).to.equal(429);
  });

  it('counts successes not at all', async () => {
    for (let n = 0; n < 6; n += 1) {
      test.clock.advance(STEP);
      expect((await signIn(new Browser(test))).status).to.equal(200);
    }
  });

  it('with a recovery code works once for each', async () => {
    const [code = '', second = ''] = root.recoveryCodes;
    const use = (text: string, name = 'root') =>
      new Browser(test).post('/sign-in/recovery', { name, code: text });
    const typed = code.toUpperCase().replaceAll('-', ' ');
    const first = await use(typed);
    expect(first.status, first.text).to.equal(200);
    expect(first.body.session.method).to.equal('recovery');
    expect((await use(code)).status).to.equal(401);
    expect((await use(second, 'nobody')).status).to.equal(401);
    const left = await root.browser.get('/credentials');
    expect(left.body.recovery_codes_left).to.equal(9);
    const both = await Promise.all([use(second), use(second)]);
    const statuses = both.map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([200, 401]);
  });

  it('stores no passphrase, code, token or address', async () => {
    const tables = [
      ...['operator', 'operator_passphrase', 'operator_recovery'],
      ...['operator_session', 'operator_attempt', 'operator_audit'],
      ...['operator_invite', 'operator_challenge', 'operator_passkey'],
    ];
    await signIn(new Browser(test), { passphrase: WRONG });
    const { writes } = test.board.context;
    const [, token = ''] = root.browser.cookie?.split('=') ?? [];
    const secret = fromBase32(root.secret);
    const needles = [
      ...[token, root.passphrase, WRONG, '203.0.113.1', root.secret],
      ...[secret.toString('hex'), ...root.recoveryCodes],
      Buffer.from(token, 'base64url').toString('hex'),
      Buffer.from('203.0.113.1').toString('hex'),
      'cb007101',
    ];
    let seen = 0;
    for (const table of tables) {
      const rows = await writes.query<{ text: string }>(
        `SELECT t::text AS text FROM ${table} t`,
      );
      for (const { text } of rows) {
        seen += 1;
        for (const needle of needles) expect(text).not.to.include(needle);
      }
    }
    expect(seen).to.be.greaterThan(10);
  });
});
