import { firstOperatorLink } from '../../server/dashboard/auth/invites.js';
import { OperatorAttemptCount } from '../../server/db/entities/operator-session.js';
import { givenBoard } from '../support/hooks.js';
import { rows } from '../support/rows.js';
import {
  Browser,
  codeIn,
  codeOf,
  PASSPHRASE,
  type SetUp,
  setUp,
} from './access-browser.js';
import { firstLink, inviteCode, operator } from './access-link.js';

const MINUTE = 60_000;

describe('the set-up link', () => {
  const test = givenBoard();
  let root: Pick<SetUp, 'browser' | 'secret' | 'recoveryCodes' | 'operator'>;

  // The limits of attempts have a test of their own.
  beforeEach(() => test.clock.advance(16 * MINUTE));

  it('is at the board, its code in the fragment', async () => {
    const link = await firstLink(test);
    expect(link).to.match(
      /^http:\/\/board\.test\/admin\/setup#[A-Za-z0-9_-]{43}$/,
    );
  });

  it('says what it is for without being used up', async () => {
    const browser = new Browser(test);
    const code = codeIn(await firstLink(test));
    for (const _ of [1, 2]) {
      const look = await browser.post('/setup/look', { code });
      expect(look.status, look.text).to.equal(200);
      expect(look.body).to.deep.include({
        name: null,
        role: 'admin',
        methods: ['passphrase'],
      });
    }
  });

  it('works for an hour', async () => {
    const code = codeIn(await firstLink(test));
    const browser = new Browser(test);
    test.clock.advance(60 * MINUTE - 1);
    expect((await browser.post('/setup/look', { code })).status).to.equal(200);
    test.clock.advance(1);
    expect((await browser.post('/setup/look', { code })).status).to.equal(404);
    const offer = await browser.post('/setup/totp', { code });
    expect(offer.status).to.equal(404);
  });

  it('makes one admin, and stays as it was after what is wrong', async () => {
    const other = codeIn(await firstLink(test));
    const browser = new Browser(test);
    const code = codeIn(await firstLink(test));
    const { body } = await browser.post('/setup/totp', { code });
    const good = {
      code,
      name: 'root',
      passphrase: PASSPHRASE,
      totp_token: body.token,
      totp: codeOf(test, body.secret),
    };
    const faults: [string, object][] = [
      ['passphrase', { passphrase: 'elevenchars' }],
      ['passphrase', { passphrase: 'Password12345!' }],
      ['passphrase', { passphrase: 'qwertyuiop123' }],
      ['passphrase', { passphrase: 'correct horse battery staple' }],
      ['passphrase', { passphrase: 'aaaaaaaaaaaaaaaa' }],
      ['passphrase', { passphrase: 'abcdefghijklmnop' }],
      ['passphrase', { passphrase: 'root root root root' }],
      ['totp', { totp: '000000' }],
      ['totp', { totp: '' }],
      ['totp_token', { totp_token: 'AAAA' }],
      ['name', { name: 'Ro ot' }],
      ['name', { name: undefined }],
      ['alias', { alias: 'a\u202eb' }],
      ['alias', { alias: '\u200b' }],
    ];
    for (const [field, fault] of faults) {
      const refused = await browser.post('/setup/passphrase', {
        ...good,
        ...fault,
      });
      expect(refused.status, refused.text).to.equal(400);
      expect(refused.body.field, refused.text).to.equal(field);
    }
    const done = await browser.post('/setup/passphrase', good);
    expect(done.status, done.text).to.equal(201);
    const { operator, recovery_codes: recoveryCodes } = done.body;
    root = { browser, secret: body.secret, recoveryCodes, operator };
    const admin = { name: 'root', alias: 'root', role: 'admin' };
    expect(operator).to.deep.include(admin);
    expect(new Set(recoveryCodes).size).to.equal(10);
    for (const text of recoveryCodes) {
      expect(text).to.match(/^(?:[a-z2-9]{5}-){3}[a-z2-9]{5}$/);
    }
    const state = await browser.get('/access');
    const signedIn = { signed_in: true, operator, network: '203.0.113.1' };
    expect(state.body).to.deep.include(signedIn);
    // It works once, and every link of the first operator ends with it.
    expect(other).not.to.equal(code);
    for (const link of [code, other]) {
      const again = await browser.post('/setup/look', { code: link });
      expect([again.status, again.body.error]).to.deep.equal([
        ...[404, 'not_found'],
      ]);
    }
    const { context } = test.board;
    expect(await firstOperatorLink(context, 8080)).to.equal(null);
  });

  it('makes the last admin nothing less', async () => {
    const code = await inviteCode(test, 'root', 'viewer');
    let refused = '';
    await setUp(new Browser(test), code).catch((error: Error) => {
      refused = error.message;
    });
    expect(JSON.parse(refused).error).to.equal('forbidden');
    const { body } = await root.browser.get('/access');
    expect(body.operator.role).to.equal('admin');
    await operator(test, 'anna', 'admin');
    const done = await setUp(new Browser(test), code);
    expect(done.operator.role).to.equal('viewer');
  });

  it('works once, even when two open it at the same moment', async () => {
    const code = await inviteCode(test, 'bert', 'viewer');
    const enrolments = await Promise.allSettled(
      [1, 2].map(() => setUp(new Browser(test), code)),
    );
    const made = enrolments.filter(({ status }) => status === 'fulfilled');
    expect(made).to.have.length(1);
  });

  it('is opened sixty times a quarter of an hour from a network, sign-ins apart', async () => {
    const code = await inviteCode(test, 'carl', 'viewer');
    const network = '198.51.100.7';
    const browser = new Browser(test, { network });
    const passkey = {
      ...{ id: 'AA', rawId: 'AA', type: 'public-key' },
      response: { clientDataJSON: 'AA' },
    };
    const steps: [path: string, more: object][] = [
      ['look', {}],
      ['totp', {}],
      ['passphrase', { passphrase: '', totp_token: '', totp: '' }],
      ['passkey/options', {}],
      ['passkey', { response: passkey }],
    ];
    const step = async (n: number, asked = 'A'.repeat(43)) => {
      const [path, more] = steps[n % steps.length] ?? ['look', {}];
      return await browser.post(`/setup/${path}`, { code: asked, ...more });
    };
    for (let n = 0; n < 60; n += 1) {
      const answer = await step(n);
      expect(answer.status, answer.text).to.equal(404);
    }
    for (let n = 0; n < steps.length; n += 1) {
      const { status, body, headers } = await step(n, code);
      expect([status, body.error, body.scope]).to.deep.equal([
        ...[429, 'rate_limited', 'operator_setup'],
      ]);
      expect(headers['retry-after']).to.equal(String(body.retry_after_seconds));
    }
    const signIn = await browser.post('/sign-in/recovery', {
      ...{ name: 'nobody', code: 'abcde-abcde-abcde-abcde' },
    });
    expect(signIn.status).to.equal(401);
    const quarter = test.clock.now() - (test.clock.now() % (15 * MINUTE));
    const counts = await rows(test).findBy(OperatorAttemptCount, { quarter });
    const attempts = counts.map((it) => it.attempts);
    expect(attempts).to.have.members([1, 60]);
    const elsewhere = new Browser(test, { network: '198.51.100.8' });
    const look = await elsewhere.post('/setup/look', { code });
    expect(look.status).to.equal(200);
    test.clock.advance(15 * MINUTE);
    expect((await step(0, code)).status).to.equal(200);
  });

  it('takes a TOTP offer of this link only, for ten minutes', async () => {
    const browser = new Browser(test);
    const code = await inviteCode(test, 'dora', 'viewer');
    const other = await inviteCode(test, 'emma', 'viewer');
    const { body } = await browser.post('/setup/totp', { code: other });
    const attempt = async (invite: string, offer: typeof body) =>
      await browser.post('/setup/passphrase', {
        code: invite,
        passphrase: PASSPHRASE,
        totp_token: offer.token,
        totp: codeOf(test, offer.secret),
      });
    const foreign = await attempt(code, body);
    expect(foreign.body.field).to.equal('totp_token');
    const own = await browser.post('/setup/totp', { code });
    test.clock.advance(10 * MINUTE);
    const late = await attempt(code, own.body);
    expect(late.body.field).to.equal('totp_token');
  });

  it('for a name that exists replaces everything it had', async () => {
    const first = await operator(test, 'fred', 'admin');
    const code = await inviteCode(test, 'fred', 'admin');
    const stranger = await setUp(new Browser(test), code);
    expect(stranger.operator.id).to.equal(first.operator.id);
    const old = await first.browser.get('/sessions');
    expect(old.status).to.equal(401);
    test.clock.advance(30_000);
    const signIn = (secret: string) =>
      new Browser(test).post('/sign-in/passphrase', {
        name: 'fred',
        passphrase: PASSPHRASE,
        totp: codeOf(test, secret),
      });
    expect((await signIn(first.secret)).status).to.equal(401);
    expect((await signIn(stranger.secret)).status).to.equal(200);
    const recovery = await new Browser(test).post('/sign-in/recovery', {
      name: 'fred',
      code: first.recoveryCodes[0],
    });
    expect(recovery.status).to.equal(401);
  });

  it('gives nobody the alias of another', async () => {
    const browser = new Browser(test);
    const code = await inviteCode(test, 'gina', 'moderator');
    const { body } = await browser.post('/setup/totp', { code });
    const answer = await browser.post('/setup/passphrase', {
      code,
      alias: 'Root',
      passphrase: PASSPHRASE,
      totp_token: body.token,
      totp: codeOf(test, body.secret),
    });
    expect(answer.status).to.equal(400);
    expect(answer.body.field).to.equal('alias');
  });
});
