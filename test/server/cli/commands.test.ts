import { chmod, readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { migrations } from '../../../server/db/migrations/index.js';
import { startBoard } from '../../support/board.js';
import { TestClock } from '../../support/clock.js';
import { createDatabase } from '../../support/cluster.js';
import { freePort } from '../../support/free-port.js';
import { givenEachBoard } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { newFolder } from '../../support/run-folder.js';
import { serving } from '../../support/serving.js';
import { parseExport } from '../ledger/parse-export.js';
import { EmptySite, settingsOf } from '../operations/backup/site.js';
import { command, type Environment, refusal } from './command.js';

const LIMITS = { writes_per_network_minute: 100, topics_per_source_hour: 3 };

describe('the command line', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await newFolder();
  });

  it('explains every command, and refuses unknown ones', async () => {
    const all = await command(['--help']);
    expect(all.code).to.equal(0);
    for (const name of ['start', 'migrate', 'doctor', 'seed', 'export']) {
      expect(all.stdout).to.include(name);
      const one = await command([name, '--help']);
      expect(one.code).to.equal(0);
      expect(one.stdout).to.include('--json');
    }
    for (const args of [
      ...[['pots'], ['start', '--nonsense'], ['export'], ['decision']],
      ['operator', 'invite', 'ann'],
    ]) {
      const { code, stderr, stdout } = await command([...args, '--json']);
      expect(code).to.equal(1);
      expect(stderr).to.match(/^reserve-board: .+ \(add --help for .+\)\n$/);
      const { ok, faults } = JSON.parse(stdout);
      expect(ok).to.equal(false);
      expect(`reserve-board: ${faults[0]}\n`).to.equal(stderr);
    }
  });

  describe('migrate', () => {
    it('says what it did, once, also when several run at once', async () => {
      const site = await EmptySite.make();
      const runs = await Promise.all(
        [1, 2, 3].map(() => command(['migrate', '--json'], site.env)),
      );
      const said = runs.map(({ stdout }) => JSON.parse(stdout));
      const applied = said.flatMap((one) => one.applied);
      expect(applied).to.deep.equal(migrations.map((one) => one.name));
      expect(said.filter(({ made }) => made)).to.have.length(1);
      const again = await command(['migrate'], site.env);
      expect(again.code).to.equal(0);
      expect(again.stdout).to.match(/^The schema .*; nothing to do\.\n$/);
      await site.stop();
    });

    it('refuses a database of a newer release, beside which a node serves on', async () => {
      const database = await createDatabase();
      const env = { DATABASE_URL: database.url, DATA_DIR: folder };
      // Readiness compares with the clock of the database.
      const clock = Object.assign(new TestClock(), { now: () => Date.now() });
      const board = await startBoard({ databaseUrl: database.url, clock });
      await board.board.context.writes.query(
        "INSERT INTO migrations (timestamp, name) VALUES (1, 'Later1')",
      );
      const ready = await board.as().get('/readyz');
      expect([ready.status, ready.body.status]).to.deep.equal([200, 'ok']);
      await board.stop();
      expect(await refusal(['migrate'], env)).to.include(
        'newer release (Later1)',
      );
      await database.drop();
    });
  });

  describe('on a board', () => {
    // The commands come straight from the loopback, without a proxy.
    const direct = { TRUST_PROXY: '192.0.2.0/24' };
    const test = givenEachBoard(() => ({ limits: LIMITS, env: direct }));
    let env: Environment;

    beforeEach(() => {
      env = settingsOf(test);
    });

    it('seed shows what a board can do, once, and spends nothing of others', async () => {
      const run = await command(['seed', '--json'], env);
      expect(run.code, run.stderr).to.equal(0);
      const { count, posted } = JSON.parse(run.stdout);
      expect(posted).to.equal(count);
      const read = async (what: string) => (await test.as().get(what)).body;
      const { data: topics } = await read('/api/threads?visibility=all');
      const visible = topics.filter(
        (one: { visibility: string }) => one.visibility === 'visible',
      );
      expect(visible).to.have.length(topics.length - 1);
      const { records, end } = parseExport(
        Buffer.from((await test.as().get('/all.txt')).text),
      );
      expect(end.messages).to.equal(count);
      const parents = new Map<number, number | null>(
        records.map(({ head }) => [
          head.id as number,
          head.reply_to as number | null,
        ]),
      );
      const depth = (id: number | null): number =>
        id === null ? -1 : 1 + depth(parents.get(id) ?? null);
      expect(Math.max(...[...parents.keys()].map(depth))).to.be.at.least(3);
      const { data: polls } = await read('/api/polls');
      expect(polls.map((poll: { type: string }) => poll.type)).to.have.members([
        'survey',
        'proposal',
      ]);
      const { data: decisions } = await read('/api/moderation');
      expect(
        decisions.map((one: { action: string }) => one.action),
      ).to.have.members(['poll_decision', 'remove']);
      const signed = records.filter(({ head }) => head.agent_id);
      expect(signed.length).to.be.within(5, count - 5);

      const again = await command(['seed', '--count', '60', '--json'], env);
      expect(again.code, again.stderr).to.equal(0);
      expect(JSON.parse(again.stdout)).to.deep.include({
        posted: 60 - count,
        known: count,
      });
      // The newcomer's network and the board have all of their limits left.
      for (let topic = 0; topic < LIMITS.topics_per_source_hour; topic += 1) {
        const title = `My own topic ${topic}`;
        await publish(test, { title, body: 'Hello.' });
      }
    });

    it('export writes the same bytes from the database and over HTTP', async () => {
      await publish(test, { body: 'MESSAGE {}\nEND {}\r\n', title: 'T' });
      const own = path.join(folder, 'own.txt');
      const http = path.join(folder, 'http.txt');
      const first = await command(['export', '--out', own, '--json'], env);
      expect(first.code, first.stderr).to.equal(0);
      const args = ['export', '--out', http, '--board', test.url];
      const second = await command(args);
      expect(second.code, second.stderr).to.equal(0);
      const bytes = await readFile(own);
      expect(await readFile(http)).to.deep.equal(bytes);
      const { end } = parseExport(bytes);
      expect(JSON.parse(first.stdout)).to.deep.include({ ok: true, ...end });
      expect(second.stdout).to.include('END verified');
      expect(await readdir(folder)).to.have.members(['own.txt', 'http.txt']);
    });
  });

  it('export keeps nothing that is not whole', async () => {
    const texts = [
      'MESSAGE {"body_bytes":3,"body_sha256":"00"}\nabc\n',
      'END {"messages":1,"bytes":0,"sha256":""}\n',
      'REMOVED {"id":1}\nEND {"messages":1,"bytes":17,"sha256":"00"}\n',
      'nonsense\n',
      '',
    ];
    for (const text of texts) {
      const other = await serving(createServer((_, res) => res.end(text)));
      const out = path.join(folder, 'all.txt');
      const said = await refusal([
        'export',
        '--out',
        out,
        '--board',
        other.url,
      ]);
      await other.stop();
      expect(said, text).to.include('The export is not whole');
      expect(await readdir(folder)).to.deep.equal([]);
    }
  });

  it('says in one line that nobody answers', async () => {
    const nobody = ['--board', 'http://127.0.0.1:1'];
    for (const args of [
      ['export', '--out', path.join(folder, 'x'), ...nobody],
      ['export', '--out', 'x', '--board', 'nonsense'],
      ['seed', ...nobody],
      ['seed', '--count', '0'],
      ['seed'],
      ['export', '--out', path.join(folder, 'no', 'folder')],
    ]) {
      await refusal(args, { DATA_DIR: folder });
    }
  });

  it('doctor and export make no database', async () => {
    await chmod(folder, 0o711); // root's database runs as another account
    const dataDir = path.join(folder, 'none');
    const PORT = String(await freePort());
    const checked = await command(['doctor'], { DATA_DIR: dataDir, PORT });
    expect(checked.code, checked.stdout).to.equal(0);
    expect(checked.stdout).to.match(/^warn {2}database +not made yet/m);
    const out = path.join(folder, 'all.txt');
    const given = { DATA_DIR: dataDir };
    expect(await refusal(['export', '--out', out], given)).to.include(
      'There is no database',
    );
    expect(await readdir(folder)).to.deep.equal([]);
  });
});
