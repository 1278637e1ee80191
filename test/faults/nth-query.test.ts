import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import supertest from 'supertest';
import { cryptoReady } from '../../server/ledger/board-keys.js';
import {
  startBoard,
  type TestBoard,
  type TestBoardOptions,
} from '../support/board.js';
import { checkLedger } from '../support/check-ledger.js';
import { EXACT, FULL, within } from '../support/full.js';
import { given } from '../support/hooks.js';
import { LIFTED } from '../support/lifted.js';
import { publish } from '../support/post.js';
import { chosenSeed, randomOf } from '../support/random.js';
import { until } from '../support/until.js';
import { untilHeard } from '../support/until-heard.js';
import { atOnce, draft, post, type Reply, template } from '../support/wire.js';
import { NodeProcess } from './node-process.js';
import { INNER_WRITES, ROOM, WRITES, type Write } from './nth-writes.js';
import { recordFaults } from './report.js';

/**
 * What befalls one query of the process:
 * - `refused`: it fails and the database never hears of it;
 * - `lost`: it is done, but its answer is an error;
 * - `killed`: its connection's backend is terminated before it is sent.
 */
type Fault = 'refused' | 'lost' | 'killed';
const FAULTS: readonly Fault[] = ['refused', 'lost', 'killed'];

type Query = (...args: unknown[]) => unknown;
type Callback = (error: unknown, result?: unknown) => void;

const prototype = pg.Client.prototype as unknown as { query: Query };

function planted(): Error {
  return Object.assign(new Error('planted'), { code: '57014' });
}

type Plant = {
  /** How many queries were begun since; the n-th is the one that fails. */
  begun(): number;
  remove(): void;
};

/** The n-th query fails, on any connection; `kill` terminates a backend. */
function plantFault(
  n: number,
  fault: Fault,
  kill: (pid: number) => Promise<unknown>,
): Plant {
  const original = prototype.query;
  let begun = 0;

  async function fail(client: pg.Client, args: unknown[]): Promise<unknown> {
    if (fault === 'refused') throw planted();
    if (fault === 'killed') {
      await kill((client as unknown as { processID: number }).processID);
      return await original.apply(client, args);
    }
    await original.apply(client, args);
    throw planted();
  }

  prototype.query = function query(this: pg.Client, ...args: unknown[]) {
    begun += 1;
    if (begun !== n) return original.apply(this, args);
    const last = args.at(-1);
    if (typeof last !== 'function') return fail(this, args);
    const callback = last as Callback; // as the pool's own `query` calls
    return fail(this, args.slice(0, -1)).then(
      (result) => callback(null, result),
      (error: unknown) => callback(error),
    );
  };
  return {
    begun: () => begun,
    remove: () => {
      prototype.query = original;
    },
  };
}

const MAX_QUERIES = 40;

async function disturbed(limits: NonNullable<TestBoardOptions['limits']>) {
  const test = await startBoard({ limits, timeoutFactor: 1 });
  const outside = new pg.Client({ connectionString: test.databaseUrl });
  await outside.connect();
  const stop = async () => {
    await outside.end();
    await checkLedger(test);
    await test.stop();
  };
  return { test, outside, stop };
}

describe('a write whose n-th query fails', () => {
  const { test, outside } = given(() => disturbed(ROOM));
  const root = 1; // the board's first message
  before(() => publish(test));

  async function kill(pid: number): Promise<void> {
    await outside.query('SELECT pg_terminate_backend($1)', [pid]);
    await until('the end of a backend', async () => {
      const { rows } = await outside.query(
        'SELECT 1 FROM pg_stat_activity WHERE pid = $1',
        [pid],
      );
      return rows.length === 0;
    });
  }

  function expectProper({ status, body, retryAfter }: Reply): void {
    if (status >= 200 && status < 300) return;
    expect(status, JSON.stringify(body)).to.equal(503);
    expect(body.error).to.equal('unavailable');
    expect(retryAfter).to.match(/^[1-9]\d*$/);
  }

  const told = (what: string, faults: number) =>
    recordFaults({ test: `A4 ${what}`, faults });

  async function once(write: Write, n: number, fault: Fault): Promise<number> {
    const there = async () => {
      const { rows } = await outside.query<{ array: number[] }>(
        write.traces,
        write.values,
      );
      return rows[0]?.array ?? [];
    };
    const none = await there();
    expect(new Set(none), 'nothing yet').to.deep.equal(new Set([0]));
    const plant = plantFault(n, fault, kill);
    const first = await write.send();
    plant.remove();
    expectProper(first);
    const [whole] = await there();
    expect(await there()).to.deep.equal(none.map(() => whole));
    if (first.status !== 503) expect(whole).to.equal(1);
    if (whole === 0 || first.body.error !== undefined) {
      const again = await untilHeard(() => write.send());
      if (whole === 0) expect(again.status).to.be.oneOf([200, 201, 202]);
    }
    expect(await there()).to.deep.equal(none.map(() => 1));
    return plant.begun();
  }

  for (const [what, prepare] of Object.entries({
    ...WRITES,
    ...INNER_WRITES,
  })) {
    for (const fault of FAULTS) {
      it(`${fault}: ${what} is whole or not at all`, async () => {
        for (let n = 1; n < MAX_QUERIES; n += 1) {
          const begun = await once(await prepare(test), n, fault);
          if (begun < n) return await told(what, n - 1);
        }
        throw new Error(`${what} needs more queries than it should`);
      });
    }
  }

  for (const fault of FAULTS) {
    it(`${fault}: previews fail whole, and can be repeated`, async () => {
      for (let n = 1; n < MAX_QUERIES; n += 1) {
        const asked = draft(root);
        const plant = plantFault(n, fault, kill);
        const first = await post(test.url, '/write/preview', asked);
        plant.remove();
        expectProper(first);
        const heard = (path: string, body: object) =>
          untilHeard(() => post(test.url, path, body));
        const again = await heard('/write/preview', asked);
        const done = await heard('/write/publish', template(again));
        expect(done.status).to.equal(201);
        if (plant.begun() < n) return await told('previews', n - 1);
      }
      throw new Error('a preview needs more queries than it should');
    });
  }
});

const QUERIES = 12;
const DYING = fileURLToPath(new URL('dying-query.mjs', import.meta.url));

describe('a node that dies as it begins its n-th query', () => {
  const dieAt = path.join(tmpdir(), `reserve-die-${process.pid}`);
  let node: NodeProcess;
  let test: TestBoard;
  let database: pg.Client;

  before(async () => {
    await cryptoReady();
    await rm(dieAt, { force: true });
    node = await NodeProcess.create({
      node: ['--import', DYING],
      env: { DIE_AT: dieAt, BOARD_LIMITS: JSON.stringify(ROOM) },
    });
    database = await node.admin();
    const as = (address = '203.0.113.1') =>
      supertest.agent(node.url).set('X-Forwarded-For', address);
    // What the writes need of a board, for one that is another process.
    test = { url: node.url, as } as unknown as TestBoard;
  });

  after(async () => {
    await database.end();
    await checkLedger(node);
    await node.remove();
    await rm(dieAt, { force: true });
  });

  async function there({ traces, values }: Write): Promise<Set<number>> {
    const { rows } = await database.query<{ array: number[] }>(traces, values);
    return new Set(rows[0]?.array);
  }

  async function once(what: string, write: Write, n: number): Promise<void> {
    await writeFile(dieAt, String(n));
    const first = await write.send();
    await rm(dieAt);
    if (first.status !== 0) expect(first.status, what).to.be.oneOf([200, 201]);
    // What is left of the count would be of the retry, or of another write.
    if (first.status === 0 || !node.alive) await node.restarted();
    else await node.restart();
    const found = await there(write);
    expect(found.size, `${what}, whole or not at all`).to.equal(1);
    const again = await untilHeard(() => write.send());
    const due = found.has(1) ? [200] : [201];
    expect(again.status, JSON.stringify(again.body)).to.be.oneOf(due);
    expect(await there(write)).to.deep.equal(new Set([1]));
  }

  it('keeps each write whole, or nothing of it', async () => {
    const seed = chosenSeed();
    const random = randomOf(seed);
    const all = Object.entries(WRITES).flatMap(([what, prepare]) =>
      Array.from({ length: QUERIES }, (_, n) => ({ what, prepare, n: n + 1 })),
    );
    const some = () => all[Math.floor(random() * all.length)];
    const places = FULL ? all : Array.from({ length: 4 }, some);
    for (const place of places) {
      if (place === undefined) continue;
      const { what, prepare, n } = place;
      await once(what, await prepare(test), n);
    }
    await recordFaults({ test: 'A4 node', seed, faults: places.length });
  });
});

const ROUNDS = FULL ? 10 : 1;
const LOCKED_MS = 10_000;
const CLIENTS = 40;
/** Required are 3 s; the rest is what a busy machine takes. */
const WITHIN_MS = within(3500);

describe('a database whose tables are locked', () => {
  const { test, outside } = given(() => disturbed(LIFTED));
  const root = 1; // the board's first message
  before(() => publish(test));

  async function timed(work: Promise<Reply>): Promise<Reply & { ms: number }> {
    const started = performance.now();
    const reply = await work;
    return { ...reply, ms: performance.now() - started };
  }

  /** Work that the round before has left. */
  async function ticket(): Promise<object> {
    const ask = () => post(test.url, '/write/preview', draft(root));
    return template(await untilHeard(ask));
  }

  /** It lives, and says that it is not ready where it finds that out. */
  async function expectLife(table: string): Promise<void> {
    const live = await fetch(`${test.url}/healthz`);
    expect(live.status, await live.text()).to.equal(200);
    if (table !== 'message') return;
    const ready = await fetch(`${test.url}/readyz`);
    expect(ready.status, await ready.text()).to.equal(503);
  }

  for (const table of ['message', 'ticket', 'budget_head']) {
    it(`answers in time while nobody gets at ${table}`, async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const tickets = await atOnce(CLIENTS, ticket);
        await outside.query('BEGIN');
        await outside.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
        let locked = true;
        const refused = new Set<number>();
        const everyone = until(
          'a refusal of each',
          () => refused.size === CLIENTS * 2,
        );
        const enough = FULL ? pause(LOCKED_MS) : everyone;
        const looked = enough.then(() => expectLife(table));
        const unlocked = looked.finally(async () => {
          locked = false;
          await outside.query('ROLLBACK');
        });
        const slowest: number[] = [];
        await atOnce(CLIENTS * 2, async (n) => {
          while (locked) {
            const work =
              n % 2 === 0
                ? post(test.url, '/write/preview', draft(root))
                : post(test.url, '/write/publish', tickets[n >> 1] ?? {});
            const { ms, status, body } = await timed(work);
            slowest.push(ms);
            if (status < 300) continue;
            expect([status, body.error]).to.deep.equal([503, 'unavailable']);
            refused.add(n);
          }
        });
        await unlocked;
        await everyone;
        if (EXACT) expect(Math.max(...slowest)).to.be.below(WITHIN_MS);
        const again = await atOnce(CLIENTS, (n) =>
          timed(
            untilHeard(() =>
              post(test.url, '/write/publish', tickets[n] ?? {}),
            ),
          ),
        );
        for (const { status, ms } of again) {
          expect(status).to.be.oneOf([200, 201]);
          expect(ms).to.be.below(within(2000));
        }
      }
      const acked = ROUNDS * CLIENTS;
      await recordFaults({ test: `A7 ${table}`, faults: ROUNDS, acked });
    });
  }
});
