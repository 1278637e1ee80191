import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type pg from 'pg';
import supertest from 'supertest';
import { cryptoReady } from '../../server/ledger/board-keys.js';
import type { TestBoard } from '../support/board.js';
import { checkLedger } from '../support/check-ledger.js';
import { FULL } from '../support/full.js';
import { chosenSeed, randomOf } from '../support/random.js';
import { untilHeard } from '../support/until-heard.js';
import { NodeProcess } from './node-process.js';
import { ROOM, WRITES, type Write } from './nth-writes.js';
import { recordFaults } from './report.js';

/** More than any of these writes begins. */
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
      env: {
        DIE_AT: dieAt,
        BOARD_LIMITS: JSON.stringify(ROOM),
      },
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

  /** Dies in the n-th query of a write, and is started again. */
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
