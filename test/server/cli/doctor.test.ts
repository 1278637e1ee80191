import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { startBoard, type TestBoard } from '../../support/board.js';
import { publish } from '../../support/post.js';
import { settingsOf } from '../operations/backup/site.js';
import { command, type Environment } from './command.js';

type Row = { name: string; state: string; fix?: string };

describe('reserve-board doctor', () => {
  let test: TestBoard;
  let env: Environment;

  beforeEach(async () => {
    test = await startBoard();
    // Another board may run at the usual port, and a free one may be taken by
    // another test before doctor asks it; nobody listens at this one.
    env = { ...settingsOf(test), PORT: '9' };
  });

  afterEach(() => test.stop());

  async function states(more: Environment = {}): Promise<{
    code: number | null;
    rows: Map<string, Row>;
  }> {
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
    // What a board needs of its operators, and how old it is.
    for (const name of ['contact', 'operators', 'backups']) {
      expect(rows.get(name)?.state, name).to.equal('warn');
      expect(rows.get(name)?.fix, name).to.be.a('string');
    }
    expect(rows.get('reports')?.state).to.equal('ok');
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
    const { code, rows } = await states();
    const bad = [...rows.values()].filter(({ state }) => state === 'fail');
    expect(bad).to.deep.equal([]);
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
    const run = await command(['doctor'], {
      ...env,
      PORT: 'x',
      ROLES: 'king',
    });
    expect(run.code).to.equal(1);
    expect(run.stdout).to.match(/^fail {2}settings {2}PORT/m);
    expect(run.stdout).to.match(/^fail {2}settings {2}ROLES/m);
    expect(run.stderr).to.match(/^reserve-board: 2 of 3 checks failed/);
  });
});
