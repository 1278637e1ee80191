import { expect } from 'chai';
import { REFUSAL_MS } from '../../server/dashboard/auth/refuse-late.js';
import { recordFaults } from '../faults/report.js';
import { startBoard, type TestBoard } from '../support/board.js';
import { FULL, within } from '../support/full.js';
import { publish } from '../support/post.js';
import { randomBytes } from '../support/random.js';
import {
  Browser,
  codeOf,
  PASSPHRASE,
  type SetUp,
  setUp,
} from './access-browser.js';
import { device, inviteCode } from './access-link.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const MOST = 30;

describe('sign-ins while others guess (spec/board.md §16.5)', () => {
  let test: TestBoard;
  let anna: SetUp;

  beforeEach(async () => {
    test = await startBoard();
    const code = await inviteCode(test, 'anna', 'admin');
    anna = await setUp(new Browser(test, { network: '192.0.2.1' }), code);
    test.clock.advance(16 * MINUTE);
  });

  afterEach(() => test.stop());

  /** Another name each time, as an attacker would. */
  const guess = (network: string, n: number) =>
    new Browser(test, { network }).post('/sign-in/recovery', {
      name: `nobody-${n}`,
      code: 'abcde-abcde-abcde-abcde',
    });

  const signIn = (browser: Browser, more: object = {}) =>
    browser.post('/sign-in/passphrase', {
      name: 'anna',
      passphrase: PASSPHRASE,
      totp: codeOf(test, anna.secret),
      ...more,
    });

  async function rows(table: string): Promise<number> {
    const [row] = await test.board.context.writes.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM ${table}`,
    );
    return row?.n ?? 0;
  }

  /** The codes of a known device: it signed in from `network`. */
  function known(network: string): Browser {
    const browser = new Browser(test, { network });
    browser.device = anna.browser.device;
    return browser;
  }

  it('count 30 of a network over all names, in one row', async () => {
    const network = '198.51.100.7';
    const before = await rows('operator_attempt_count');
    for (let n = 0; n < MOST; n += 1) {
      expect((await guess(network, n)).status).to.equal(401);
    }
    for (let n = 0; n < 20; n += 1) {
      const { status, body } = await guess(network, MOST + n);
      expect([status, body.error, body.scope]).to.deep.equal([
        ...[429, 'rate_limited', 'operator_sign_in'],
      ]);
    }
    expect(await rows('operator_attempt')).to.equal(MOST);
    expect(await rows('operator_attempt_count')).to.equal(before + 1);
    expect((await guess('198.51.100.8', 0)).status).to.equal(401);
    test.clock.advance(15 * MINUTE);
    expect((await guess(network, 99)).status).to.equal(401);
  });

  it('take a /56 of IPv6 for one network', async () => {
    const networks = Array.from(
      { length: MOST + 1 },
      (_, n) => `2001:db8:7:1${n.toString(16).padStart(2, '0')}::1`,
    );
    const statuses: number[] = [];
    for (const [n, network] of networks.entries()) {
      statuses.push((await guess(network, n)).status);
    }
    expect(statuses.filter((status) => status === 401)).to.have.length(MOST);
    expect(statuses.at(-1)).to.equal(429);
    expect((await guess('2001:db8:7:200::1', 0)).status).to.equal(401);
  });

  it('take one connection of the database, however many are sent at once', async () => {
    const guesses = await test.board.context.writes.transaction(async (tx) => {
      await tx.query('LOCK TABLE operator_attempt_count IN EXCLUSIVE MODE');
      const sent = Array.from({ length: 80 }, async (_, n) => {
        return (await guess('198.51.100.6', n)).status;
      });
      // The first holds a connection until the lock is gone; the last of them
      // is sent away, so all have come.
      await Promise.race(sent);
      await publish(test, { title: 'Written meanwhile' });
      return sent;
    });
    const statuses = await Promise.all(guesses);
    // The first may have waited for the lock too long.
    const judged = statuses.filter((it) => it === 401).length;
    expect(judged).to.be.within(MOST - 1, MOST);
    expect(statuses.filter((it) => it === 503).length).to.be.at.most(1);
  });

  it('let a known device in where its network is used up', async () => {
    const network = '198.51.100.9';
    for (let n = 0; n < MOST; n += 1) await guess(network, n);
    const stranger = await signIn(new Browser(test, { network }));
    expect(stranger.status).to.equal(429);
    const browser = known(network);
    const answer = await signIn(browser);
    expect(answer.status, answer.text).to.equal(200);
    // It replaces no credential, and has five attempts of its own.
    test.clock.advance(MINUTE);
    for (let n = 0; n < 6; n += 1) {
      const { status } = await signIn(known(network), { passphrase: 'wrong' });
      expect(status).to.equal(n < 5 ? 401 : 429);
    }
    const elsewhere = await signIn(known('198.51.100.10'));
    expect(elsewhere.status).to.equal(429);
  });

  it('know a device for 90 days and for its own account', async () => {
    const network = '198.51.100.11';
    const [, line = ''] = (await signIn(new Browser(test, { network })))
      .headers['set-cookie'] as unknown as string[];
    expect(line).to.match(
      /^reserve-device=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Strict$/,
    );
    const other = await inviteCode(test, 'bert', 'viewer');
    await setUp(new Browser(test, { network: '192.0.2.2' }), other);
    test.clock.advance(16 * MINUTE);
    for (let n = 0; n < MOST; n += 1) await guess(network, n);
    const asBert = await known(network).post('/sign-in/passphrase', {
      ...{ name: 'bert', passphrase: PASSPHRASE, totp: '000000' },
    });
    expect(asBert.status).to.equal(429);
    expect((await signIn(known(network))).status).to.equal(200);
    test.clock.advance(90 * DAY);
    for (let n = 0; n < MOST; n += 1) await guess(network, n);
    expect((await signIn(known(network))).status).to.equal(429);
  });

  it('forget a device that is revoked or whose credentials change, not one that signs out', async () => {
    const { browser } = anna;
    expect(await rows('operator_device')).to.equal(1);
    await browser.post('/sign-out');
    expect(await rows('operator_device')).to.equal(1);
    const signedIn = await signIn(browser);
    expect(signedIn.status, signedIn.text).to.equal(200);
    expect(await rows('operator_device')).to.equal(1);
    test.clock.advance(MINUTE);
    const second = new Browser(test, { network: '192.0.2.9' });
    expect((await signIn(second)).status).to.equal(200);
    expect(await rows('operator_device')).to.equal(2);
    const others = await second.post('/sessions/revoke-others');
    expect(others.body).to.deep.equal({ ended: 1 });
    expect(await rows('operator_device')).to.equal(1);
    const codes = await second.post('/credentials/recovery');
    expect(codes.status, codes.text).to.equal(200);
    expect(await rows('operator_device')).to.equal(0);
  });
});

describe('a flood of sign-ins from many networks', () => {
  it('lets the operator in', async () => {
    const test = await startBoard({
      fullHashes: true,
      refusalMs: REFUSAL_MS,
    });
    const code = await inviteCode(test, 'anna', 'admin');
    const first = new Browser(test, { network: '192.0.2.1' });
    const anna = await setUp(first, code);
    test.clock.advance(16 * MINUTE);
    const networks = FULL ? 20 : 3;
    let flooding = true;
    let guesses = 0;
    // All of them ask before the operator does.
    const flood = Array.from({ length: networks * 5 }, async (_, n) => {
      const network = `198.51.100.${n % networks}`;
      const browser = new Browser(test, { network });
      for (let turn = 0; flooding; turn += 1) {
        await browser.post('/sign-in/passphrase', {
          name: `nobody-${n}-${turn}`,
          passphrase: 'a guess of many',
          totp: '123456',
        });
        guesses += 1;
        if (turn > 8) await browser.get('/access');
      }
    });
    const times: number[] = [];
    for (const device of [null, null, anna.browser.device]) {
      const browser = new Browser(test, { network: '203.0.113.200' });
      browser.device = device;
      const begun = performance.now();
      const answer = await browser.post('/sign-in/passphrase', {
        name: 'anna',
        passphrase: PASSPHRASE,
        totp: codeOf(test, anna.secret),
      });
      times.push(performance.now() - begun);
      expect(answer.status, answer.text).to.equal(200);
      test.clock.advance(MINUTE);
    }
    flooding = false;
    await Promise.all(flood);
    console.log(`      signed in after ${times.map(Math.round).join()} ms`);
    expect(Math.max(...times), times.join()).to.be.below(within(2000));
    await recordFaults({ test: 'G7', faults: guesses });
    await test.stop();
  });
});

describe('made-up sessions', () => {
  const MOST_READS = 20;
  let test: TestBoard;

  before(async () => {
    const limits = { reads_per_network_minute: MOST_READS };
    test = await startBoard({ limits });
  });

  after(() => test.stop());

  it('reach the database as often as readers do, and keep no operator out', async () => {
    const anna = await device(test, 'viewer');
    const [name] = anna.cookie?.split('=') ?? [];
    const thief = new Browser(test, { network: '198.51.100.20' });
    const ask = async (path: string) => {
      thief.cookie = `${name}=${randomBytes(32).toString('base64url')}`;
      return await thief.get(path);
    };
    for (let n = 0; n < MOST_READS; n += 1) {
      const { status, body } = await ask('/access');
      expect([status, body.signed_in]).to.deep.equal([200, false]);
    }
    for (const path of ['/access', '/sessions', '/operators']) {
      const { status, body } = await ask(path);
      expect([status, body.error]).to.deep.equal([429, 'rate_limited']);
    }
    // Without a cookie nothing is looked up; reads of the board are apart.
    thief.cookie = null;
    expect((await thief.get('/access')).status).to.equal(200);
    const board = await test.as('198.51.100.20').get('/api/threads');
    expect(board.status).to.equal(200);
    for (let n = 0; n < 2 * MOST_READS; n += 1) {
      expect((await anna.get('/sessions')).status).to.equal(200);
    }
    test.clock.advance(MINUTE + 1000);
    expect((await ask('/access')).status).to.equal(200);
  });
});
