import { REFUSAL_MS } from '../../server/dashboard/auth/refuse-late.js';
import {
  OperatorAttempt,
  OperatorAttemptCount,
} from '../../server/db/entities/operator-session.js';
import { recordFaults } from '../faults/report.js';
import { startBoard } from '../support/board.js';
import { FULL, within } from '../support/full.js';
import { givenBoard } from '../support/hooks.js';
import { publish } from '../support/post.js';
import { randomBytes } from '../support/random.js';
import { rows } from '../support/rows.js';
import { Browser, codeOf, PASSPHRASE, setUp } from './access-browser.js';
import { device, inviteCode } from './access-link.js';

const MINUTE = 60_000;
const MOST = 30;

describe('sign-ins while others guess (spec/board.md §16.5)', () => {
  const test = givenBoard();

  /** Another name each time, as an attacker would. */
  const guess = (network: string, n: number) =>
    new Browser(test, { network }).post('/sign-in/recovery', {
      name: `nobody-${n}`,
      code: 'abcde-abcde-abcde-abcde',
    });

  it('count 30 of a network over all names, in one row', async () => {
    const network = '198.51.100.7';
    const before = await rows(test).count(OperatorAttemptCount);
    for (let n = 0; n < MOST; n += 1) {
      expect((await guess(network, n)).status).to.equal(401);
    }
    for (let n = 0; n < 20; n += 1) {
      const { status, body } = await guess(network, MOST + n);
      expect([status, body.error, body.scope]).to.deep.equal([
        ...[429, 'rate_limited', 'operator_sign_in'],
      ]);
    }
    expect(await rows(test).count(OperatorAttempt)).to.equal(MOST);
    const counts = await rows(test).count(OperatorAttemptCount);
    expect(counts).to.equal(before + 1);
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
});

describe('a flood of sign-ins from many networks', () => {
  it('lets the operator in', async () => {
    const test = await startBoard({ fullHashes: true, refusalMs: REFUSAL_MS });
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
  const test = givenBoard({ limits: { reads_per_network_minute: MOST_READS } });

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
