import { expect } from 'chai';
import pg from 'pg';
import { startBoard, type TestBoard } from '../support/board.js';
import { checkLedger } from '../support/check-ledger.js';
import { publish } from '../support/post.js';
import { until } from '../support/until.js';
import { untilHeard } from '../support/until-heard.js';
import { draft, post, type Reply, template } from '../support/wire.js';
import { INNER_WRITES, ROOM, WRITES, type Write } from './nth-writes.js';
import { FAULTS, type Fault, plantFault } from './planted-fault.js';
import { recordFaults } from './report.js';

const MAX_QUERIES = 40;

describe('a write whose n-th query fails', () => {
  let test: TestBoard;
  let outside: pg.Client;
  let root: number;

  before(async () => {
    test = await startBoard({ limits: ROOM, timeoutFactor: 1 });
    root = (await publish(test)).message.id;
    outside = new pg.Client({ connectionString: test.databaseUrl });
    await outside.connect();
  });

  after(async () => {
    await outside.end();
    await checkLedger(test);
    await test.stop();
  });

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

  /** Once with the fault in its n-th query; how many queries it took. */
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
