import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { headFile } from '../../../server/ledger/head-file.js';
import { raiseAlert } from '../../../server/operations/alerts.js';
import { ALERTS } from '../../../server/operations/index.js';
import { TestClock } from '../../support/clock.js';
import { createDatabase } from '../../support/cluster.js';
import { givenEachBoard } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { until } from '../../support/until.js';
import { EmptySite, settingsOf } from '../operations/backup/site.js';
import { command, type Environment, running } from './command.js';
import { givenHome, HEAD } from './home.js';

type Row = { name: string; state: string; detail: string; fix?: string };

describe('reserve-board doctor', () => {
  const test = givenEachBoard(() => ({ ledger: false }));
  let env: Environment;

  beforeEach(() => {
    // Another board may run at the usual port, and a free one may be taken by
    // another test before doctor asks it; nobody listens at this one.
    env = { ...settingsOf(test), PORT: '9' };
  });

  async function states(
    more: Environment = {},
  ): Promise<{ code: number | null; rows: Map<string, Row> }> {
    const { code, stdout } = await command(['doctor', '--json'], {
      ...env,
      ...more,
    });
    const checks = JSON.parse(stdout).checks as Row[];
    return { code, rows: new Map(checks.map((row) => [row.name, row])) };
  }

  it('finds nothing wrong with a sound one', async () => {
    await publish(test);
    const { code, rows } = await states();
    expect([...rows.keys()]).to.include.members([
      ...['Node.js', 'settings', 'data folder', 'disk', 'database', 'schema'],
      ...['board seed', 'ledger', 'log key'],
    ]);
    for (const name of ['contact', 'operators']) {
      expect(rows.get(name)?.state, name).to.equal('warn');
      expect(rows.get(name)?.fix, name).to.be.a('string');
    }
    const bad = [...rows.values()].filter(({ state }) => state === 'fail');
    expect(bad).to.deep.equal([]);
    expect(code).to.equal(0);
  });

  it('finds a damaged ledger', async () => {
    await publish(test);
    // So the head file is written now, and not of a damaged log in 10 s.
    await test.restart();
    const damages: [string, string][] = [
      ['UPDATE log_state SET size = size + 1', 'SET size = size - 1'],
      ['UPDATE log_state SET last_message_id = 0', 'SET last_message_id = 1'],
      [
        'UPDATE log_state SET frontier = set_byte(frontier, 0, get_byte(frontier, 0) # 1)',
        'SET frontier = set_byte(frontier, 0, get_byte(frontier, 0) # 1)',
      ],
      [
        "UPDATE log_state SET checkpoint = overlay(checkpoint placing 'x' from 1 for 1)",
        "SET checkpoint = overlay(checkpoint placing 'b' from 1 for 1)",
      ],
    ];
    for (const [damage, repair] of damages) {
      await test.board.context.writes.query(damage);
      const { code, rows } = await states();
      expect(code, damage).to.equal(1);
      expect(rows.get('ledger')?.state, damage).to.equal('fail');
      expect(rows.get('ledger')?.fix).to.be.a('string');
      await test.board.context.writes.query(`UPDATE log_state ${repair}`);
    }
    const [kind, detail] = ['backup_unverified', 'None is known.'] as const;
    const alert = { kind, subject: 'board', detail };
    await raiseAlert(test.board.context.writes, alert, test.clock.now());
    const { code, rows } = await states();
    const bad = [...rows.values()].filter(({ state }) => state === 'fail');
    expect(bad).to.deep.equal([]);
    expect(rows.get('alert')).to.include({
      ...{ detail: `No verified backup: ${detail}`, fix: ALERTS[kind] },
    });
    expect(code).to.equal(0);
  });

  it('finds a wrong seed and an open seed file', async () => {
    const other = await states({ BOARD_SEED: 'ab'.repeat(32) });
    expect(other.rows.get('log key')?.state).to.equal('fail');
    const { BOARD_SEED: seed = '', ...unset } = env;
    env = unset;
    const file = path.join(unset.DATA_DIR ?? '', 'board.seed');
    expect((await states()).rows.get('board seed')?.state).to.equal('fail');
    await writeFile(file, `${seed}\n`, { mode: 0o644 });
    const open = await states();
    expect(open.rows.get('board seed')?.fix).to.equal(`chmod 600 '${file}'`);
    expect(open.code).to.equal(1);
  });

  it('lists bad settings with the rest left out', async () => {
    const run = await command(['doctor'], { ...env, PORT: 'x', ROLES: 'king' });
    expect(run.code).to.equal(1);
    expect(run.stdout).to.match(/^fail {2}settings {2}PORT/m);
    expect(run.stdout).to.match(/^fail {2}settings {2}ROLES/m);
    expect(run.stderr).to.match(/^reserve-board: 2 of 3 checks failed/);
  });
});

const SEED = '7d'.repeat(32);
const OWN_HEAD = { ...HEAD, origin: 'board.test/log' };

describe('reserve-board doctor, about the next start', () => {
  const at = givenHome({ BASE_URL: 'http://board.test' });

  /** The rows that fail; its exit code says whether there are any. */
  async function failures(more: Environment = {}): Promise<Map<string, Row>> {
    const given = { ...at.env, ...more };
    const { code, stdout, stderr } = await command(['doctor', '--json'], given);
    const rows = (JSON.parse(stdout).checks as Row[]).filter(
      ({ state }) => state === 'fail',
    );
    expect(code, stderr).to.equal(rows.length === 0 ? 0 : 1);
    return new Map(rows.map((row) => [row.name, row]));
  }

  async function expectOnly(
    name: string,
    detail: string,
    fix: string,
    more: Environment = {},
  ): Promise<void> {
    const found = await failures(more);
    expect([...found.keys()]).to.deep.equal([name]);
    expect(found.get(name)?.detail).to.include(detail);
    expect(found.get(name)?.fix).to.include(fix);
  }

  it('finds a new board in order, and makes nothing', async () => {
    expect([...(await failures()).keys()]).to.deep.equal([]);
    expect(await readdir(at.folder)).to.deep.equal([]);
  });

  it('finds a seed without its database', async () => {
    const restore = 'log restore --from <peer>';
    const detail = 'holds no entry';
    const given = { BOARD_SEED: SEED };
    await expectOnly('log guard', detail, restore, given);
    await mkdir(at.dataDir);
    await writeFile(path.join(at.dataDir, 'board.seed'), `${SEED}\n`, {
      mode: 0o600,
    });
    await expectOnly('log guard', detail, 'log new-generation');
    const { url, drop } = await createDatabase();
    await expectOnly('log guard', detail, 'log begin', { DATABASE_URL: url });
    await drop();
    const site = await EmptySite.make();
    const found = await failures({ DATABASE_URL: site.url });
    expect([...found.keys()]).to.include('log guard');
    await site.stop();
  });

  it('finds a head file without its database, seed or name', async () => {
    await mkdir(at.dataDir);
    await writeFile(headFile(at.dataDir), JSON.stringify(OWN_HEAD));
    const given = { BOARD_SEED: SEED };
    const remembers = 'log.head remembers 8';
    await expectOnly('log guard', remembers, 'log restore', given);
    await expectOnly('board seed', 'board.seed is missing', '--new-seed');
    await expectOnly('board name', 'first started as board.test', 'set BOARD', {
      ...given,
      BOARD_NAME: 'other.test',
    });
    await writeFile(headFile(at.dataDir), 'nothing');
    await expectOnly('log head', 'is damaged', 'restore it', given);
    expect(await readdir(at.dataDir)).to.deep.equal(['log.head']);
  });

  it('finds the embedded database without its seed', async () => {
    const node = await running(['start', '--json'], at.env, /"listening"/);
    await node.stop();
    expect([...(await failures()).keys()]).to.deep.equal([]);
    const seed = path.join(at.dataDir, 'board.seed');
    await rename(seed, path.join(at.folder, 'kept'));
    await expectOnly('board seed', 'board.seed is missing', 'backup');
    await rename(path.join(at.folder, 'kept'), seed);
    await rename(path.join(at.dataDir, 'pg18'), path.join(at.folder, 'pg18'));
    await expectOnly('log guard', 'log.head remembers 1', 'log restore');
  });

  describe('on a board', () => {
    // The command goes by the real time.
    const test = givenEachBoard(() => ({
      ledger: false,
      clock: Object.assign(new TestClock(), { now: () => Date.now() }),
    }));

    beforeEach(() => {
      at.env = { ...settingsOf(test), PORT: new URL(test.url).port };
    });

    it('finds writes closed by the guard', async () => {
      expect([...(await failures()).keys()]).to.deep.equal([]);
      const { dataDir: kept } = test.board.context.config;
      await writeFile(headFile(kept), JSON.stringify(OWN_HEAD));
      await test.board.context.guard.check();
      await until('a node that is not ready', async () => {
        const { status } = await test.as().get('/readyz');
        return status === 503;
      });
      const found = await failures();
      expect([...found.keys()]).to.deep.equal(['log guard', 'running node']);
      expect(found.get('log guard')?.fix).to.include('log restore');
    });

    it('finds another name', async () => {
      const more = { BOARD_NAME: 'other.test' };
      const first = 'first started as board.test';
      await expectOnly('board name', first, 'set BOARD_NAME=board.test', more);
    });
  });
});
