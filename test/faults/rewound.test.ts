import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { command } from '../server/cli/command.js';
import {
  EmptySite,
  settingsOf,
  withClient,
} from '../server/operations/backup/site.js';
import { FULL } from '../support/full.js';
import { givenBoard } from '../support/hooks.js';
import { chosenSeed, randomOf } from '../support/random.js';
import { draft, post, ticketFor } from '../support/wire.js';
import { NodeProcess } from './node-process.js';
import { recordFaults } from './report.js';
import { WalArchive } from './wal-archive.js';
import { Writers } from './writers.js';

const REWINDS = FULL ? 3 : 1;

type Row = { id: number; body: string };

/** A10: what is left of a log is no log to go on with, nor are its ids. */
describe('a database taken back to a moment of its past', () => {
  const seed = chosenSeed();
  const random = randomOf(seed);
  let node: NodeProcess;
  let archive: WalArchive;

  beforeEach(async () => {
    node = await NodeProcess.create();
    archive = await WalArchive.of(node);
  });

  afterEach(async () => {
    await node.remove();
    await archive.remove();
  });

  const some = () => 5 + Math.floor(random() * 30);

  async function written(writers: Writers) {
    writers.start();
    await writers.progress(some());
    await archive.copyFiles();
    await writers.progress(some());
    const told = acknowledged(writers);
    const [now] = await node.query<{ moment: string }>(
      "SELECT to_char(clock_timestamp(), 'YYYY-MM-DD HH24:MI:SS.US+00') AS moment",
    );
    const moment = now?.moment ?? '';
    const until = performance.now();
    await writers.progress(some());
    await writers.stop();
    await archive.complete();
    const later = acknowledged(writers, until);
    return { moment, told, later, all: acknowledged(writers) };
  }

  function acknowledged(writers: Writers, after = 0): Map<number, string> {
    const known = new Map<number, string>();
    const asked = new Set<string>();
    for (const { t, op, req, res } of writers.history) {
      if (op !== 'publish') continue;
      if (t < after) asked.add(req.requestId);
      if (res.kind !== 'ok' || asked.has(req.requestId)) continue;
      known.set(res.value.id, req.body);
    }
    return known;
  }

  async function expectClosed(): Promise<void> {
    const { status, body } = await post(node.url, '/write/preview', draft(1));
    expect([status, body.error]).to.deep.equal([503, 'log_guard']);
    const headers = { 'X-Forwarded-For': '198.51.100.9' };
    const ready = await fetch(`${node.url}/readyz`, { headers });
    expect(ready.status, await ready.text()).to.equal(503);
    const read = await fetch(`${node.url}/api/threads`, { headers });
    expect(read.status, await read.text()).to.equal(200);
  }

  for (let rewind = 1; rewind <= REWINDS; rewind += 1) {
    it(`has all of until then, and gives no id twice, the ${rewind}. time`, async () => {
      const writers = new Writers({
        on: node,
        count: 4,
        random,
        mayHangUp: false,
      });
      const { moment, told, later, all } = await written(writers);
      expect(await node.end('SIGTERM')).to.equal(0);
      await archive.takeBack(moment);
      await node.start();

      const rows = await node.query<Row>(
        'SELECT id::int, body FROM message ORDER BY id',
      );
      expect(rows.map(({ id }) => id)).to.deep.equal(rows.map((_, n) => n + 1));
      const held = new Map(rows.map(({ id, body }) => [id, body]));
      const lost = [...told].filter(([id, body]) => held.get(id) !== body);
      expect(lost, 'told before the moment').to.deep.equal([]);
      expect(later.size).to.be.above(0);
      for (const id of later.keys()) expect(held.has(id)).to.equal(false);
      await expectClosed();

      // No mirror has the rest: the log ends, and another one begins.
      expect(await node.end('SIGTERM')).to.equal(0);
      await node.command('log', 'new-generation', '--yes', '--json');
      await node.start();
      await node.ready();
      const ticket = await ticketFor(node.url, draft(1));
      const { status, body } = await post(node.url, '/write/publish', ticket);
      expect(status, JSON.stringify(body)).to.equal(201);
      const { id } = body.message as { id: number };
      expect(id).to.be.above(Math.max(...all.keys()));
      const acked = told.size;
      await recordFaults({ test: 'A10 moments', seed, faults: 1, acked });
      await recordFaults({ test: 'A10 refusals to sign', seed, faults: 1 });
    });
  }
});

const DRILLS = FULL ? 10 : 1;

/** A10: what was acknowledged before a backup began is in it. */
describe('a backup taken while everybody writes', () => {
  const test = givenBoard({ lifted: true });

  it(`holds all of that, restored ${DRILLS} times`, async () => {
    const seed = chosenSeed();
    const random = randomOf(seed);
    const writers = new Writers({
      on: {
        url: test.url,
        query: (sql) => test.board.context.reads.query(sql, []),
      },
      ...{ count: 4, random, mayHangUp: false },
    });
    let acked = 0;
    const folder = await mkdtemp(path.join(tmpdir(), 'drill-'));
    for (let drill = 0; drill < DRILLS; drill += 1) {
      writers.start();
      await writers.progress(5 + Math.floor(random() * 30));
      const before = new Map(
        writers.history.flatMap(({ op, req, res }) =>
          op === 'publish' && res.kind === 'ok'
            ? [[res.value.id, req.body] as const]
            : [],
        ),
      );
      const backup = path.join(folder, String(drill));
      const env = settingsOf(test);
      const made = await command(['backup', backup, '--json'], env);
      expect(made.code, made.stderr).to.equal(0);
      await writers.stop();
      acked = writers.acked;
      const site = await EmptySite.make();
      const options = ['restore', backup, '--no-peers', '--json'];
      const back = await command(options, site.env);
      expect(back.code, back.stderr).to.equal(0);
      const rows = await withClient(site.url, async (client) => {
        const { rows } = await client.query<{ id: number; body: string }>(
          'SELECT id::int, body FROM message ORDER BY id',
        );
        return rows;
      });
      expect(rows.map(({ id }) => id)).to.deep.equal(rows.map((_, n) => n + 1));
      const held = new Map(rows.map(({ id, body }) => [id, body]));
      for (const [id, body] of before) expect(held.get(id)).to.equal(body);
      await site.stop();
    }
    await recordFaults({ test: 'A10 drills', seed, faults: DRILLS, acked });
  });
});
