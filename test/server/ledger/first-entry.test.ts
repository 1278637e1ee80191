import { existsSync } from 'node:fs';
import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { openIdentity } from '../../../protocol/identity.js';
import { utcDay } from '../../../server/clock.js';
import { cryptoReady } from '../../../server/ledger/board-keys.js';
import {
  keepNewSeed,
  readSeed,
  StartRefusal,
  seedFile,
  takeUnused,
} from '../../../server/ledger/board-seed.js';
import { writeHeadFile } from '../../../server/ledger/head-file.js';
import { planStart } from '../../../server/ledger/start-plan.js';
import { givenEach } from '../../support/hooks.js';
import { bareLog, type Environment } from './bare-log.js';

const SEED = '5a'.repeat(32);
const OTHER = '5b'.repeat(32);
const DAY_MS = 86_400_000;

/** spec/board.md §16.22: a seed signs at most one first entry. */
describe('the first entry of a log', () => {
  const log = givenEach(bareLog);
  before(cryptoReady);

  const headOf = (origin: string) => ({
    origin,
    size: 4,
    root: Buffer.alloc(32, 1),
    lastMessageId: 2,
    time: 1,
    restored: false,
  });
  const signed = async () => (await log.row())?.size ?? 0;
  const marked = () => existsSync(`${seedFile(log.dataDir)}.unused`);

  async function refused(
    env: Environment,
    about: string,
    sentence: string,
  ): Promise<void> {
    const before = await signed();
    const error = await log.open(env).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(StartRefusal);
    expect((error as StartRefusal).about).to.equal(about);
    expect((error as StartRefusal).message).to.include(sentence);
    expect(await signed()).to.equal(before);
  }

  it('is signed with the seed that the start makes, and once only', async () => {
    expect(await log.open()).to.include({ begun: true, first: true });
    expect((await stat(seedFile(log.dataDir))).mode & 0o777).to.equal(0o600);
    expect(marked()).to.equal(false);
    expect(await log.open()).to.include({ begun: true, first: false });
    expect(await signed()).to.equal(1);
  });

  it('is signed by one of two starts at once', async () => {
    const opened = await Promise.all([log.open(), log.open()]);
    expect(opened.filter(({ first }) => first)).to.have.length(1);
    expect(await signed()).to.equal(1);
  });

  it('is signed with a seed whose mark says that it signed nothing', async () => {
    await keepNewSeed(log.dataDir, SEED);
    expect(await log.open()).to.include({ begun: true, first: true });
    expect(marked()).to.equal(false);
  });

  for (const [what, env, begin, begun] of [
    ['without a word of its operator', {}, false, false],
    ['where an operator runs log begin', {}, true, true],
    ['on the day of LOG_BEGIN', { LOG_BEGIN: 0 }, false, true],
    ['a day after LOG_BEGIN', { LOG_BEGIN: -1 }, false, false],
  ] as const) {
    it(`is ${begun ? '' : 'not '}signed with an old seed ${what}`, async () => {
      const { LOG_BEGIN: days } = { LOG_BEGIN: undefined, ...env };
      const day = utcDay(log.clock.now() + DAY_MS * (days ?? 0));
      const setting = days === undefined ? {} : { LOG_BEGIN: day };
      await writeFile(seedFile(log.dataDir), `${SEED}\n`);
      expect((await log.open(setting, { begin })).begun).to.equal(begun);
      expect(await signed()).to.equal(begun ? 1 : 0);
    });
  }

  it('is not signed with the mark of another seed', async () => {
    await keepNewSeed(log.dataDir, OTHER);
    await writeFile(seedFile(log.dataDir), `${SEED}\n`);
    expect((await log.open()).begun).to.equal(false);
  });

  it('is not signed where a peer has the log, and the mark stays', async () => {
    await keepNewSeed(log.dataDir, SEED);
    const mayBegin = async () => false;
    expect((await log.open({}, { mayBegin })).begun).to.equal(false);
    expect(marked()).to.equal(true);
  });

  it('is not signed once another process has taken the mark', async () => {
    await keepNewSeed(log.dataDir, SEED);
    const mayBegin = () => takeUnused(log.dataDir);
    expect((await log.open({}, { mayBegin })).begun).to.equal(false);
    expect(await signed()).to.equal(0);
  });

  it('is not signed beside a head file, whose generation it keeps', async () => {
    await writeFile(seedFile(log.dataDir), SEED);
    await writeHeadFile(log.dataDir, headOf('board.test/log3'));
    for (const begin of [true, false]) {
      const today = { LOG_BEGIN: utcDay(log.clock.now()) };
      const { own, begun } = await log.open(today, { begin });
      expect([own.origin, begun]).to.deep.equal(['board.test/log3', false]);
    }
    const row = await log.row();
    expect([row?.generation, row?.size]).to.deep.equal([3, 0]);
  });

  it('makes the data folder that is not there yet', async () => {
    const DATA_DIR = `${log.dataDir}/not/there`;
    expect((await log.open({ DATA_DIR })).first).to.equal(true);
    expect(await readSeed({ boardSeed: null, dataDir: DATA_DIR })).to.match(
      /^[0-9a-f]{64}$/,
    );
  });

  it('belongs to one of two processes that make a seed', async () => {
    await keepNewSeed(log.dataDir, SEED);
    const error = await keepNewSeed(log.dataDir, OTHER).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).to.be.instanceOf(StartRefusal);
    expect(await readSeed({ boardSeed: null, dataDir: log.dataDir })).to.equal(
      SEED,
    );
  });

  it('is not begun where it cannot be known whether there is a seed', async () => {
    const file = `${log.dataDir}/file`;
    await writeFile(file, '');
    const failed = await planStart(
      null,
      log.config({ DATA_DIR: file }),
      0,
    ).catch((thrown: unknown) => thrown);
    expect(String(failed)).to.match(/^EmbeddedDatabaseError: .*DATA_DIR/);
    const fresh = await planStart(null, log.config(), 0);
    expect(fresh.permission).to.equal('new seed');
  });

  it('is refused with a damaged seed', async () => {
    await writeFile(seedFile(log.dataDir), SEED.slice(1));
    await refused({}, 'board seed', 'does not hold 64 hex digits');
  });

  it('is refused with a head file and no seed', async () => {
    await writeHeadFile(log.dataDir, headOf('board.test/log'));
    await refused({}, 'board seed', 'remembers 4 entries of board.test/log');
  });

  it('is refused under another name than the head file’s', async () => {
    await writeHeadFile(log.dataDir, headOf('old.test/log'));
    const env = { BOARD_SEED: SEED };
    await refused({ ...env, BOARD_NAME: 'new.test' }, 'board name', 'old.test');
    const { own } = await log.open({ ...env, BOARD_NAME: 'old.test' });
    expect(own.board, 'kept, BASE_URL has no effect').to.equal('old.test');
  });

  it('once signed binds seed, log key and name', async () => {
    await log.open({ BOARD_NAME: 'board.test' });
    const seed = await readSeed({ boardSeed: null, dataDir: log.dataDir });
    await rm(seedFile(log.dataDir));
    for (const DATA_DIR of [log.dataDir, `${log.dataDir}/elsewhere`]) {
      const more = { DATA_DIR };
      await refused(more, 'board seed', 'the database holds 1 entries');
    }
    expect(await readdir(log.dataDir)).to.deep.equal([]);
    await refused({ BOARD_SEED: OTHER }, 'log key', 'does not belong');
    const named = { BOARD_SEED: seed ?? '', BOARD_NAME: 'new.test' };
    await refused(named, 'board name', 'a name never changes');
    await refused(
      { BOARD_SEED: seed ?? '', BOARD_LOG_KEY: OTHER },
      'log key',
      'does not belong',
    );
  });

  it('is followed by one that names a new address, if the guard agrees', async () => {
    await log.open();
    const moved = { BASE_URL: 'http://moved.test' };
    const mayAppend = async () => false;
    await log.open(moved, { mayAppend });
    expect(await signed(), 'a closed log').to.equal(1);
    await log.open(moved);
    await log.open(moved);
    const row = await log.row();
    expect(row?.size).to.equal(2);
    const identity = openIdentity(row?.identity ?? '');
    expect(identity.ok && identity.value).to.include({
      ...{ seq: 1, name: 'board.test', url: 'http://moved.test' },
    });
    const unset = await log.open({ BASE_URL: '' }).catch(String);
    expect(unset).to.match(/BASE_URL is not set, .* http:\/\/moved\.test/);
    expect(await signed()).to.equal(2);
  });
});
