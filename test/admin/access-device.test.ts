import { givenBoard } from '../support/hooks.js';
import { freshNetwork, randomUUID } from '../support/random.js';
import {
  Browser,
  codeOf,
  PASSPHRASE,
  type SetUp,
  setUp,
} from './access-browser.js';
import { inviteCode, operator } from './access-link.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const MOST = 30;
const HOME = 'https://board.example';
const CODE = 'abcde-abcde-abcde-abcde';

/** What a cookie is worth shows where the network's own count is used up. */
describe('the cookie of a device (spec/board.md §16.5)', () => {
  const test = givenBoard({ env: { BASE_URL: HOME } });
  let anna: SetUp;
  let root: SetUp;
  /** A network from which no stranger may try any more in this quarter. */
  let used = { network: '', quarter: 0 };

  beforeEach(async () => {
    root = await operator(test, freshName(), 'admin');
    anna = await operator(test, freshName(), 'moderator');
    test.clock.advance(MINUTE);
  });

  const freshName = () => `op-${randomUUID().slice(0, 8)}`;
  const signIn = (browser: Browser, more: object = {}) =>
    browser.post('/sign-in/passphrase', {
      ...{ name: anna.operator.name, passphrase: PASSPHRASE },
      totp: codeOf(test, anna.secret),
      ...more,
    });

  const guess = (browser: Browser, name: string) =>
    browser.post('/sign-in/recovery', { name, code: CODE });

  async function usedUp(): Promise<string> {
    const quarter = Math.floor(test.clock.now() / (15 * MINUTE));
    if (quarter === used.quarter) return used.network;
    used = { network: freshNetwork(), quarter };
    for (let n = 0; n < MOST; n += 1) {
      const browser = new Browser(test, { network: used.network });
      const tried = await guess(browser, `none-${n}`);
      expect(tried.status).to.equal(401);
    }
    return used.network;
  }

  /** How a wrong code is answered that comes with these cookies. */
  async function worth(device: string | null, cookie: string | null = null) {
    const browser = new Browser(test, { network: await usedUp() });
    browser.device = device;
    browser.cookie = cookie;
    const { status } = await guess(browser, anna.operator.name);
    return status === 401 ? 'known' : 'unknown';
  }

  /** Where Anna signed in first. */
  const first = () => anna.browser.device ?? '';

  it('is of this host alone, for https and no script', async () => {
    const browser = new Browser(test, { network: freshNetwork() });
    const answer = await signIn(browser);
    const lines = answer.headers['set-cookie'] as unknown as string[];
    expect(lines[1]).to.match(
      /^__Host-reserve-device=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(browser.device).not.to.equal(first());
  });

  it('is worth nothing in any other form', async () => {
    const [name = '', token = ''] = first().split('=');
    const session = anna.browser.cookie?.split('=')[1] ?? '';
    const forms: Record<string, [string | null, (string | null)?]> = {
      none: [null],
      twice: [`${first()}; ${first()}`],
      'with another': [`${first()}; ${name}=${'A'.repeat(43)}`],
      'without its prefix': [`reserve-device=${token}`],
      'in capitals': [`${name.toUpperCase()}=${token}`],
      quoted: [`${name}="${token}"`],
      longer: [`${first()}A`],
      shorter: [first().slice(0, -1)],
      'the token of a session': [`${name}=${session}`],
      'a session for a device': [null, anna.browser.cookie],
      'of another account': [root.browser.device],
      'nothing at all': [`${name}=`],
    };
    for (const [form, [device, cookie]] of Object.entries(forms)) {
      expect(await worth(device, cookie), form).to.equal('unknown');
    }
    expect(await worth(first())).to.equal('known');
  });

  it('opens no session', async () => {
    const [, token] = first().split('=');
    for (const cookie of [first(), `__Host-reserve-operator=${token}`]) {
      const browser = new Browser(test);
      browser.cookie = cookie;
      const answer = await browser.get('/sessions');
      expect([answer.status, answer.body.scope]).to.deep.equal([
        ...[401, 'session'],
      ]);
    }
  });

  it('that was planted is not the one after the sign-in', async () => {
    const planted = `__Host-reserve-device=${'A'.repeat(43)}`;
    for (const device of [planted, root.browser.device]) {
      const browser = new Browser(test, { network: freshNetwork() });
      browser.device = device;
      test.clock.advance(MINUTE);
      expect((await signIn(browser)).status).to.equal(200);
      expect(browser.device).not.to.equal(device);
      expect(await worth(device)).to.equal('unknown');
      expect(await worth(browser.device)).to.equal('known');
    }
  });

  it('takes five attempts of ten that come at the same moment', async () => {
    const tries = await Promise.all(
      Array.from({ length: 10 }, () => {
        const browser = new Browser(test, { network: freshNetwork() });
        browser.device = first();
        return guess(browser, anna.operator.name);
      }),
    );
    const statuses = tries.map(({ status }) => status);
    expect(statuses.filter((it) => it === 401)).to.have.length(5);
    expect(statuses.filter((it) => it === 429)).to.have.length(5);
    // Anna herself comes in from anywhere without it.
    const browser = new Browser(test, { network: freshNetwork() });
    expect((await signIn(browser)).status).to.equal(200);
  });

  it('lets its owner in where the network is used up', async () => {
    const network = await usedUp();
    const known = (at: string) => {
      const browser = new Browser(test, { network: at });
      browser.device = first();
      return browser;
    };
    const stranger = await signIn(new Browser(test, { network }));
    expect(stranger.status).to.equal(429);
    const answer = await signIn(known(network));
    expect(answer.status, answer.text).to.equal(200);
    // It replaces no credential, and has five attempts of its own.
    test.clock.advance(MINUTE);
    for (let n = 0; n < 6; n += 1) {
      const { status } = await signIn(known(network), { passphrase: 'wrong' });
      expect(status).to.equal(n < 5 ? 401 : 429);
    }
    const elsewhere = await signIn(known(freshNetwork()));
    expect(elsewhere.status).to.equal(429);
  });

  it('ends after 90 days, also where it was used until then', async () => {
    const browser = new Browser(test, { network: freshNetwork() });
    browser.device = first();
    test.clock.advance(89 * DAY);
    expect((await signIn(browser)).status).to.equal(200);
    expect(browser.device).to.equal(first());
    test.clock.advance(DAY);
    expect(await worth(first())).to.equal('unknown');
    test.clock.advance(16 * MINUTE);
    expect((await signIn(browser)).status).to.equal(200);
    expect(browser.device).not.to.equal(first());
  });

  /** What an admin or Anna does, and whether the device is known after it. */
  const DEEDS: Record<string, [act: () => Promise<unknown>, known: boolean]> = {
    'signs out': [() => anna.browser.post('/sign-out'), true],
    'gives the credential again': [
      () =>
        anna.browser.post('/step-up/passphrase', {
          ...{ passphrase: PASSPHRASE, totp: codeOf(test, anna.secret) },
        }),
      true,
    ],
    'ends the other sessions': [
      () => anna.browser.post('/sessions/revoke-others'),
      true,
    ],
    'ends the others’ sessions from another device': [
      async () => {
        const other = new Browser(test, { network: freshNetwork() });
        expect((await signIn(other)).status).to.equal(200);
        return await other.post('/sessions/revoke-others');
      },
      false,
    ],
    'makes new recovery codes': [
      () => anna.browser.post('/credentials/recovery'),
      false,
    ],
    'is disabled and enabled again': [
      async () => {
        const path = `/operators/${anna.operator.id}`;
        await root.browser.post(`${path}/disable`);
        await root.browser.post(`${path}/enable`);
      },
      false,
    ],
    'is signed out by an admin': [
      () => root.browser.post(`/operators/${anna.operator.id}/sign-out`),
      false,
    ],
    'is signed out by an admin after she signed out': [
      async () => {
        await anna.browser.post('/sign-out');
        const path = `/operators/${anna.operator.id}/sign-out`;
        await root.browser.post(path);
      },
      false,
    ],
    'gets new credentials by a link': [
      async () => {
        const code = await inviteCode(test, anna.operator.name, 'moderator');
        const other = new Browser(test, { network: freshNetwork() });
        await setUp(other, code);
      },
      false,
    ],
    'has a lower role': [
      () =>
        root.browser.post(`/operators/${anna.operator.id}/role`, {
          role: 'viewer',
        }),
      true,
    ],
  };
  for (const [deed, [act, known]] of Object.entries(DEEDS)) {
    it(`is ${known ? 'kept' : 'forgotten'} when she ${deed}`, async () => {
      const device = first();
      const answer = (await act()) as { status?: number } | undefined;
      expect(answer?.status ?? 200).to.be.lessThan(300);
      expect(await worth(device)).to.equal(known ? 'known' : 'unknown');
    });
  }

  it('is no sign of an account', async () => {
    const answers = new Set<string>();
    for (const name of [
      anna.operator.name,
      'root',
      'nobody',
      'passkey x',
      '',
    ]) {
      for (const device of [first(), null]) {
        const browser = new Browser(test, { network: freshNetwork() });
        browser.device = device;
        const { status, body, headers } = await guess(browser, name);
        answers.add(JSON.stringify([status, body, headers['set-cookie']]));
      }
    }
    expect([...answers]).to.have.length(1);
  });
});
