import { scryptSync } from 'node:crypto';
import { provePassphrase } from '../../server/dashboard/auth/passphrase.js';
import { REFUSAL_MS } from '../../server/dashboard/auth/refuse-late.js';
import { ScryptQueue } from '../../server/dashboard/auth/scrypt-queue.js';
import {
  base32,
  totpCode,
  totpStep,
} from '../../server/dashboard/auth/totp.js';
import { Turns } from '../../server/dashboard/auth/turns.js';
import { OperatorPassphrase } from '../../server/db/entities/operator.js';
import { OperatorAttempt } from '../../server/db/entities/operator-session.js';
import { recordFaults } from '../faults/report.js';
import { startBoard } from '../support/board.js';
import { FULL, within } from '../support/full.js';
import { givenBoard } from '../support/hooks.js';
import { rows } from '../support/rows.js';
import { until } from '../support/until.js';
import {
  Browser,
  codeOf,
  fromBase32,
  PASSPHRASE,
  type SetUp,
} from './access-browser.js';
import { operator } from './access-link.js';

const STEP = 30_000;

async function begunDuring(work: () => Promise<void>): Promise<string[]> {
  const { normalize } = String.prototype;
  const begun: string[] = [];
  String.prototype.normalize = function noted(this: string, form?: string) {
    begun.push(`${this}`);
    return normalize.call(this, form);
  };
  try {
    await work();
  } finally {
    String.prototype.normalize = normalize;
  }
  return begun;
}

describe('guesses by the thousand (G1)', () => {
  it('with the right code are hashed five times a network, and the board goes on', async () => {
    const networks = FULL ? 200 : 2;
    const guesses = FULL ? 50 : 7;
    const test = await startBoard({
      limits: { reads_per_network_minute: 1_000_000 },
      fullHashes: true,
    });
    const { secret } = await operator(test, 'anna', 'moderator');
    // The worst case: who guesses has the device that shows the codes.
    const totp = codeOf(test, secret);
    const statuses = new Map<number, number>();
    const reads: number[] = [];
    let guessing = true;
    const reading = (async () => {
      while (guessing) {
        const began = performance.now();
        await test.as('192.0.2.77').get('/api/threads').expect(200);
        reads.push(performance.now() - began);
      }
    })();
    await Promise.all(
      Array.from({ length: networks }, async (_, n) => {
        const network = `198.51.${100 + (n >> 8)}.${n & 255}`;
        const browser = new Browser(test, { network });
        for (let guess = 0; guess < guesses; guess += 1) {
          const answer = await browser.post('/sign-in/passphrase', {
            name: 'anna',
            passphrase: `guess number ${n} ${guess} of many`,
            totp,
          });
          const { status } = answer;
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      }),
    );
    guessing = false;
    await reading;
    const failed = (statuses.get(401) ?? 0) + (statuses.get(503) ?? 0);
    expect(failed).to.equal(networks * 5);
    expect(statuses.get(429)).to.equal(networks * (guesses - 5));
    expect(statuses.get(200) ?? 0).to.equal(0);
    reads.sort((a, b) => a - b);
    const p95 = reads[Math.floor(reads.length * 0.95)] ?? 0;
    // Machines that run tests are busy; a hash on the event loop is slower yet.
    expect(p95, `${reads.length} reads`).to.be.lessThan(within(500));
    await recordFaults({ test: 'G1', faults: networks * guesses });
    await test.stop();
  });

  it('wait in a line of two, and a network has four places', async () => {
    const queue = new ScryptQueue(2 ** 10);
    const salt = Buffer.alloc(16);
    const asked = Array.from({ length: 10 }, (_, n) =>
      queue.hash('a passphrase', salt, {
        network: n < 7 ? 'one' : `other ${n}`,
        nth: 1,
      }),
    );
    const results = await Promise.allSettled(asked);
    expect(queue.peak).to.equal(2);
    const refused = results.filter(({ status }) => status === 'rejected');
    expect(refused).to.have.length(3);
    await queue.hash('a passphrase', salt, { network: 'one', nth: 1 });
  });

  it('let those go first who tried least, and the rest out of a full line', async () => {
    const queue = new ScryptQueue(2 ** 10);
    const salt = Buffer.alloc(16);
    const hash = async (network: string, nth: number) => {
      // By its passphrase one shows when it begins.
      await queue.hash(network, salt, { network, nth });
      return network;
    };
    const begun = await begunDuring(async () => {
      // Two run, and 64 wait.
      const flood = Array.from({ length: 66 }, (_, n) => hash(`many ${n}`, 9));
      const stranger = hash('stranger', 1);
      const known = hash('known', 0);
      const another = hash('another', 9);
      const results = await Promise.allSettled([
        ...[...flood, stranger, known],
        another,
      ]);
      const refused = results.filter(({ status }) => status === 'rejected');
      expect(refused).to.have.length(3);
    });
    expect(begun.slice(0, 4)).to.deep.equal([
      ...['many 0', 'many 1', 'known', 'stranger'],
    ]);
    expect(begun).to.have.length(66);
  });
});

describe('the hash of a passphrase on a node', () => {
  const test = givenBoard({ fullHashes: true, refusalMs: REFUSAL_MS });
  let anna: SetUp;

  before(async () => {
    anna = await operator(test, 'anna', 'moderator');
  });

  it('is that of scrypt with N = 2^17, r = 8, p = 1', async () => {
    const options = { N: 131_072, r: 8, p: 1, maxmem: 2 ** 28 };
    const { salt, hash } = await rows(test).findOneByOrFail(
      OperatorPassphrase,
      { operatorId: anna.operator.id },
    );
    expect(scryptSync(PASSPHRASE, salt, 32, options)).to.eql(hash);
  });

  it('is no part of the time that a refusal takes', async () => {
    const now = codeOf(test, anna.secret);
    const wrong = now === '123456' ? '654321' : '123456';
    const cases: [name: string, passphrase: string, totp: string][] = [
      ['anna', PASSPHRASE, wrong],
      ['anna', 'another one', now],
      ['nobody', 'another one', wrong],
    ];
    const answers = await Promise.all(
      cases.map(async ([name, passphrase, totp], n) => {
        const browser = new Browser(test, { network: `198.51.100.${n}` });
        const began = performance.now();
        const answer = await browser.post('/sign-in/passphrase', {
          ...{ name, passphrase, totp },
        });
        // Timers may be a millisecond early.
        const took = performance.now() - began + 1;
        expect(took, `${name} ${totp}`).to.be.at.least(REFUSAL_MS);
        return [answer.status, answer.body];
      }),
    );
    expect(new Set(answers.map((it) => JSON.stringify(it)))).to.have.length(1);
    expect(answers[0]?.[0]).to.equal(401);
  });

  it('ends its waits when the board stops', async () => {
    const other = await startBoard({ refusalMs: 2 ** 30 });
    const refused = new Browser(other).post('/sign-in/passphrase', {
      ...{ name: 'nobody', passphrase: 'another one', totp: '123456' },
    });
    const counted = () => rows(other).count(OperatorAttempt);
    await until('an attempt', async () => (await counted()) === 1);
    const [answer] = await Promise.all([refused, other.stop()]);
    expect(answer.status).to.equal(401);
  });

  it('is made for a right code alone', async () => {
    const queue = new ScryptQueue(2 ** 10);
    const totp = codeOf(test, anna.secret);
    const turns = new Turns();
    const { context } = test.board;
    const parts = { peers: null, refusalMs: 0, scrypt: queue, turns };
    const ctx = { ...context, ...parts };
    const place = { network: 'one', nth: 1 };
    const passphrase = 'another one';
    const prove = (name: string, code: string) =>
      provePassphrase(ctx, { name, passphrase, totp: code }, place);
    // The code of a secret of zeros, which an account without one must not have.
    const zeros = totpCode(
      Buffer.alloc(20),
      Math.floor(test.clock.now() / STEP),
    );
    const wrong = ['000000', '123456', zeros].filter((it) => it !== totp);
    for (const name of ['anna', 'nobody', '']) {
      for (const code of wrong) {
        expect(await prove(name, code)).to.equal(null);
      }
    }
    expect(queue.peak).to.equal(0);
    expect(await prove('anna', totp)).to.equal(null);
    expect(queue.peak).to.equal(1);
  });
});

describe('TOTP', () => {
  const secret = Buffer.from('12345678901234567890', 'ascii');

  it('is that of RFC 6238', () => {
    const vectors: [number, string][] = [
      [59, '287082'],
      [1_111_111_109, '081804'],
      [1_111_111_111, '050471'],
      [1_234_567_890, '005924'],
      [2_000_000_000, '279037'],
      [20_000_000_000, '353130'],
    ];
    for (const [seconds, code] of vectors) {
      const step = Math.floor(seconds / 30);
      expect(totpCode(secret, step)).to.equal(code);
      expect(totpStep(secret, code, seconds * 1000)).to.equal(step);
    }
  });

  it('reads secrets as apps do', () => {
    expect(base32(secret)).to.equal('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    expect(fromBase32(base32(secret))).to.deep.equal(secret);
  });

  it('takes the neighbouring steps and no others', () => {
    const now = 1_234_567_890_000;
    const step = Math.floor(now / STEP);
    const near = [-2, -1, 0, 1, 2].map((by) =>
      totpStep(secret, totpCode(secret, step + by), now),
    );
    expect(near).to.deep.equal([null, step - 1, step, step + 1, null]);
  });
});
