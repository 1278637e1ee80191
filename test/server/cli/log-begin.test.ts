import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { headFile } from '../../../server/ledger/head-file.js';
import { startBoard } from '../../support/board.js';
import { publish } from '../../support/post.js';
import { command, refusal } from './command.js';
import { givenHome, HEAD } from './home.js';

const SEED = '7b'.repeat(32);

describe('reserve-board log begin', () => {
  const at = givenHome(
    { BASE_URL: 'http://board.example', BOARD_SEED: SEED },
    { database: true },
  );

  const begin = () => command(['log', 'begin', '--json'], at.env);

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
    expect(await refusal(['log', 'begin'], other)).to.include('not belong');
  });

  it('begins nothing that a head file remembers', async () => {
    await mkdir(at.dataDir);
    await writeFile(headFile(at.dataDir), JSON.stringify(HEAD));
    for (const given of [at.bare, at.env]) {
      expect(await refusal(['log', 'begin'], given)).to.match(
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
