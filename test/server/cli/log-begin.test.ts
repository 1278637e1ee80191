import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { headFile } from '../../../server/ledger/head-file.js';
import { startBoard, type TestBoard } from '../../support/board.js';
import { publish } from '../../support/post.js';
import { command, type Ended, type Environment } from './command.js';
import { givenHome, HEAD } from './home.js';

const SEED = '7b'.repeat(32);

describe('reserve-board log begin', () => {
  const at = givenHome(
    { BASE_URL: 'http://board.example', BOARD_SEED: SEED },
    { database: true },
  );

  async function begin(more: Environment = {}): Promise<Ended> {
    return await command(['log', 'begin', '--json'], { ...at.env, ...more });
  }

  /** A node on this database and folder that may begin no log by itself. */
  async function node(): Promise<TestBoard> {
    return await startBoard({
      databaseUrl: at.databaseUrl,
      env: { ...at.env, LOG_BEGIN: '' },
    });
  }

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
    const other = await begin({ BOARD_SEED: '7c'.repeat(32) });
    expect(other.code).to.equal(1);
    expect(other.stderr).to.include('does not belong');
  });

  it('begins nothing that a head file remembers', async () => {
    await mkdir(at.dataDir);
    await writeFile(headFile(at.dataDir), JSON.stringify(HEAD));
    const { DATABASE_URL: _, ...bare } = at.env;
    for (const given of [bare, at.env]) {
      at.env = given;
      const { code, stderr } = await begin();
      expect(code).to.equal(1);
      expect(stderr).to.match(/remembers 8; .*log restore --from <peer>/);
      expect(stderr.trim().split('\n')).to.have.length(1);
      expect(await readdir(at.dataDir)).to.deep.equal(['log.head']);
    }
  });

  it('makes no seed and no database', async () => {
    const { BOARD_SEED: _, DATABASE_URL: __, ...bare } = at.env;
    at.env = bare;
    const { code, stderr } = await begin();
    expect(code).to.equal(1);
    expect(stderr).to.include('board.seed does not exist');
    expect(stderr).to.include('"reserve-board start" makes one');
    expect(await readdir(at.folder)).to.deep.equal([]);
  });
});
