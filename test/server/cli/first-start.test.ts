import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { utcDay } from '../../../server/clock.js';
import { headFile } from '../../../server/ledger/head-file.js';
import { startBoard } from '../../support/board.js';
import { awayFromMidnight } from '../../support/clock.js';
import { publish } from '../../support/post.js';
import { until } from '../../support/until.js';
import { withClient } from '../operations/backup/site.js';
import {
  command,
  type Environment,
  launched,
  type Running,
  refusal,
  running,
} from './command.js';
import { givenHome, HEAD } from './home.js';

const SEED = '7a'.repeat(32);
type Started = { port: number; writes: string; writes_closed?: string };

describe('a first start', () => {
  let nodes: Running[] = [];
  afterEach(async () => {
    for (const node of nodes.splice(0)) await node.stop();
  });
  const at = givenHome(
    { BASE_URL: 'http://board.example', LOG_LEVEL: 'warn' },
    { database: true },
  );

  async function start(
    more: Environment = {},
  ): Promise<{ facts: Started; node: Running }> {
    const given = { ...at.env, ...more };
    const node = await running(['start', '--json'], given, /"listening"/);
    nodes.push(node);
    return { facts: JSON.parse(node.lines.at(-1) ?? ''), node };
  }

  async function stop(node: Running): Promise<void> {
    nodes = nodes.filter((one) => one !== node);
    await node.stop();
  }

  async function read({ port }: Started, what: string): Promise<Response> {
    return await fetch(`http://127.0.0.1:${port}${what}`);
  }

  async function readiness({ facts }: { facts: Started }): Promise<number> {
    return (await read(facts, '/readyz')).status;
  }

  const refused = (more: Environment = {}) =>
    refusal(['start'], { ...at.env, ...more });

  async function entries(): Promise<number> {
    return await withClient(at.databaseUrl, async (client) => {
      const { rows } = await client.query<{ count: number }>(
        'SELECT count(*)::int FROM log_entry',
      );
      return rows[0]?.count ?? -1;
    });
  }

  async function statements(): Promise<string[]> {
    return await withClient(at.databaseUrl, async (client) => {
      const { rows } = await client.query<{ query: string }>(
        `SELECT query FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.map(({ query }) => query);
    });
  }

  const isThere = (name: string) => existsSync(path.join(at.dataDir, name));

  it('of several processes at once signs one first entry', async () => {
    const started = await Promise.all([start(), start(), start()]);
    expect(started.map(({ facts }) => facts.writes)).to.deep.equal([
      ...['open', 'open', 'open'],
    ]);
    expect(await entries()).to.equal(1);
    const heads = await Promise.all(
      started.map(async ({ facts }) =>
        (await read(facts, '/log/checkpoint')).text(),
      ),
    );
    expect(new Set(heads).size).to.equal(1);
  });

  it('with BOARD_SEED begins only on the day of LOG_BEGIN', async () => {
    await awayFromMidnight();
    const given = { BOARD_SEED: SEED };
    const yesterday = utcDay(Date.now() - 86_400_000);
    const late = await start({ ...given, LOG_BEGIN: yesterday });
    expect(late.node.lines.join('\n')).to.include('LOG_BEGIN is not today');
    expect(late.facts.writes_closed).to.include('log begin');
    await stop(late.node);
    for (const LOG_BEGIN of ['today', '2026-02-30']) {
      expect(await refused({ ...given, LOG_BEGIN })).to.include(
        'LOG_BEGIN must be a day such as',
      );
    }
    expect(await entries()).to.equal(0);
    const today = { ...given, LOG_BEGIN: utcDay(Date.now()) };
    const begun = await start(today);
    expect(begun.facts.writes).to.equal('open');
    await stop(begun.node);
    // A log that is there needs no day.
    expect((await start(given)).facts.writes).to.equal('open');
  });

  it('killed between the mark and the commit signs nothing again', async () => {
    await withClient(at.databaseUrl, async (client) => {
      await client.query(
        'BEGIN; LOCK TABLE log_entry IN ACCESS EXCLUSIVE MODE',
      );
      const child = await launched(['start'], at.env);
      await until('the first entry', async () => {
        const rows = await statements();
        return rows.some((text) => text.includes('INSERT INTO log_entry'));
      });
      expect(isThere('board.seed')).to.equal(true);
      expect(isThere('board.seed.unused')).to.equal(false);
      child.kill('SIGKILL');
      await client.query('COMMIT');
    });
    const closed = await start();
    expect(closed.facts.writes_closed).to.include('its first start was interr');
    expect(await readiness(closed)).to.equal(503);
    expect(await entries()).to.equal(0);
    const begun = await command(BEGIN, at.env);
    expect(JSON.parse(begun.stdout)).to.include({ ok: true, begun: true });
    await stop(closed.node);
    expect((await start()).facts.writes).to.equal('open');
    expect(await entries()).to.equal(1);
  });
});

const BEGIN = ['log', 'begin', '--json', '--yes'];

describe('reserve-board log begin', () => {
  const at = givenHome(
    { BASE_URL: 'http://board.example', BOARD_SEED: SEED },
    { database: true },
  );

  const begin = () => command(BEGIN, at.env);

  /** A node on this database and folder that may begin no log by itself. */
  const node = () =>
    startBoard({
      databaseUrl: at.databaseUrl,
      env: { ...at.env, LOG_BEGIN: '' },
    });

  it('says what it is for', async () => {
    const { code, stdout } = await command(['log', 'begin', '--help']);
    expect(code).to.equal(0);
    expect(stdout.replaceAll(/\s+/g, ' ')).to.include(
      'begin the log with a seed that was there before the first start and has never signed anything',
    );
    expect(stdout).to.include('--json');
  });

  it('signs the first entry, once, and a running node opens its writes', async () => {
    const test = await node();
    expect(test.board.context.guard.closed).to.include('log begin');
    const first = await begin();
    expect(first.code, first.stderr).to.equal(0);
    expect(JSON.parse(first.stdout)).to.deep.include({
      ok: true,
      begun: true,
      origin: 'board.example/log',
    });
    await test.board.context.guard.check();
    await publish(test);
    const again = await begin();
    expect(JSON.parse(again.stdout)).to.include({ ok: true, begun: false });
    const { text } = await test.as().get('/log/checkpoint');
    expect(text.split('\n')[1]).to.equal('2');
    await test.stop();
    const other = { ...at.env, BOARD_SEED: '7c'.repeat(32) };
    expect(await refusal(BEGIN, other)).to.include('not belong');
  });

  it('begins nothing that a head file remembers', async () => {
    await mkdir(at.dataDir);
    await writeFile(headFile(at.dataDir), JSON.stringify(HEAD));
    for (const given of [at.bare, at.env]) {
      expect(await refusal(BEGIN, given)).to.match(
        /remembers 8; .*log restore --from <peer>/,
      );
      expect(await readdir(at.dataDir)).to.deep.equal(['log.head']);
    }
  });

  it('makes no seed and no database', async () => {
    const { BOARD_SEED: _, ...bare } = at.bare;
    expect(await refusal(['log', 'begin'], bare))
      .to.include('board.seed does not exist')
      .and.include('"reserve-board start" makes one');
    expect(await readdir(at.folder)).to.deep.equal([]);
  });
});
