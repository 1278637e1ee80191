import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { command } from '../server/cli/command.js';
import {
  EmptySite,
  settingsOf,
  withClient,
} from '../server/operations/backup/site.js';
import { startBoard, type TestBoard } from '../support/board.js';
import { FULL } from '../support/full.js';
import { LIFTED } from '../support/lifted.js';
import { chosenSeed, randomOf } from '../support/random.js';
import { recordFaults } from './report.js';
import { Writers } from './writers.js';

const DRILLS = FULL ? 10 : 1;

/** A10: what was acknowledged before a backup began is in it. */
describe('a backup taken while everybody writes', () => {
  let test: TestBoard;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'drill-'));
    test = await startBoard({ limits: LIFTED });
  });

  after(async () => {
    await test.stop();
    await rm(folder, { recursive: true, force: true });
  });

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
      await site.remove();
    }
    await recordFaults({ test: 'A10 drills', seed, faults: DRILLS, acked });
  });
});
