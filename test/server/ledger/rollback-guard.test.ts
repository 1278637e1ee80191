import { mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { openCheckpoint } from '../../../protocol/checkpoint.js';
import { Events } from '../../../server/db/events.js';
import type { BoardError } from '../../../server/errors.js';
import { cryptoReady } from '../../../server/ledger/board-keys.js';
import { StartRefusal } from '../../../server/ledger/board-seed.js';
import {
  headFile,
  type KeptHead,
  readHeadFile,
  writeHeadFile,
} from '../../../server/ledger/head-file.js';
import {
  HeadFileWriter,
  updateHeadFile,
} from '../../../server/ledger/head-file-writer.js';
import {
  fileConflict,
  type Witnessed,
} from '../../../server/ledger/rollback-checks.js';
import {
  HeadMemory,
  RollbackGuard,
} from '../../../server/ledger/rollback-guard.js';
import { type Logger, silentLogger } from '../../../server/logger.js';
import { taken } from '../../protocol/support/vectors.js';
import { givenEach } from '../../support/hooks.js';
import { newFolder } from '../../support/run-folder.js';
import { bareLog } from './bare-log.js';

const ORIGIN = 'board.test/log';
const OTHER_ROOT = new Uint8Array(32).fill(1);

type Head = Pick<Witnessed, 'origin' | 'size' | 'root'>;

/** spec/mesh.md §B4: what closes the writes of a log and opens them. */
describe('the rollback guard of a log', () => {
  const log = givenEach(bareLog);
  let guard: RollbackGuard;
  let lines: string[];
  /** What a peer shows of the log; null where none answers. */
  let shown: Head[] | null;
  let asked = 0;
  before(cryptoReady);
  beforeEach(() => {
    lines = [];
    shown = null;
    guard = guarded();
  });

  /** As a process that has just started sees it. */
  function guarded(): RollbackGuard {
    const line = (_facts: object, sentence: string) => lines.push(sentence);
    const logger = { error: line, info: line } as unknown as Logger;
    const { db, dataDir } = log;
    const made = new RollbackGuard({ db, dataDir, log: logger });
    made.ask({
      ask: async () => {
        asked += 1;
        return {
          answered: shown === null ? 0 : 1,
          seen: (shown ?? []).map((head) => ({ peer: 'peer.test', ...head })),
        };
      },
    });
    return made;
  }

  async function twoEntries(): Promise<[Head, Head]> {
    return [await entry('http://board.test'), await entry('http://moved.test')];
  }

  async function entry(BASE_URL: string): Promise<Head> {
    const { own } = await log.open({ BASE_URL });
    const note = (await log.row())?.checkpoint ?? '';
    const { origin, size, root } = taken(
      openCheckpoint(note, own.keys.log.vkey),
    );
    return { origin, size, root };
  }

  async function closed(): Promise<string | null> {
    await guard.check();
    return guard.closed;
  }

  const keep = (head: Head, more: Partial<KeptHead> = {}) =>
    writeHeadFile(log.dataDir, {
      ...head,
      ...{ lastMessageId: 0, time: 1, restored: false },
      ...more,
    });

  it('closes a log without an entry, opens it with the first, and says so', async () => {
    expect(await closed()).to.include('its database holds no entry');
    const refusal = await Promise.resolve()
      .then(() => guard.assertOpen())
      .catch((error: BoardError) => error);
    expect(refusal).to.include({ code: 'log_guard', status: 503 });
    expect(await closed()).to.include('no entry');
    await log.open();
    expect(await closed()).to.equal(null);
    guard.assertOpen();
    expect(lines).to.deep.equal([
      'writes are closed by the log guard',
      'the log guard opened writes again',
    ]);
  });

  for (const [state, pause] of [
    ['closed', 5000],
    ['open', 30_000],
  ] as const) {
    it(`looks again after ${pause} ms while writes are ${state}`, async () => {
      if (state === 'open') await log.open();
      await guard.check();
      expect(guard.closed === null).to.equal(state === 'open');
      const before = asked;
      mock.timers.enable({ apis: ['setTimeout'] });
      guard.start();
      mock.timers.tick(pause - 1);
      await setImmediate();
      expect(asked).to.equal(before);
      mock.timers.tick(1);
      await setImmediate();
      expect(asked).to.equal(before + 1);
      mock.timers.reset();
      await guard.stop();
    });
  }

  it('closes a log whose restore was interrupted', async () => {
    await twoEntries();
    await log.db.query(
      `UPDATE log_state SET checkpoint = replace(checkpoint, E'\\n2\\n', E'\\n1\\n')`,
    );
    expect(await closed()).to.include('interrupted after 2 entries');
  });

  for (const [what, change, sentence] of [
    ['is of this very head', {}, null],
    ['is behind the log', 'earlier', null],
    ['is ahead of the log', { size: 5 }, 'has 2 entries and DATA_DIR'],
    ['is of another history', { root: OTHER_ROOT }, 'is not the one'],
    ['is of another board', { origin: 'x.test/log' }, 'belongs to the log x'],
    ['is of a later log', { origin: `${ORIGIN}2` }, `belongs to the log`],
  ] as const) {
    it(`${sentence === null ? 'leaves open' : 'closes'} a log whose head file ${what}`, async () => {
      const [first, second] = await twoEntries();
      await keep(change === 'earlier' ? first : { ...second, ...change });
      const why = await closed();
      if (sentence === null) expect(why).to.equal(null);
      else expect(why).to.include(sentence);
      expect(await guard.mayBegin()).to.equal(sentence === null);
    });
  }

  it('asks no head file of a former generation', async () => {
    const [, head] = await twoEntries();
    await log.db.query('UPDATE log_state SET origin = $1', [`${ORIGIN}2`]);
    await keep({ ...head, size: 9 });
    expect(await closed()).to.equal(null);
  });

  it('keeps a restored log closed until a peer has answered once', async () => {
    const [, head] = await twoEntries();
    await keep(head, { restored: true });
    expect(await closed()).to.include('no peer has answered yet');
    shown = [];
    expect(await closed()).to.equal(null);
    shown = null;
    expect(await closed(), 'it has answered').to.equal(null);
    guard = guarded();
    expect(await closed(), 'another start').to.include('no peer has answered');
  });

  it('does not take a head for none where there is no database', async () => {
    const [first] = await twoEntries();
    const head = { ...first, lastMessageId: 0, time: 1, restored: false };
    expect(await fileConflict(null, null, false)).to.equal(null);
    expect(await fileConflict(null, head, false)).to.include('has 0 entries');
    const empty = { ...head, size: 0 };
    expect(await fileConflict(null, empty, false)).to.include('is not the one');
  });

  for (const [what, change, sentence] of [
    ['the same head', {}, null],
    ['an earlier head', 'earlier', null],
    ['more entries', { size: 3 }, 'holds 3 under this board'],
    ['another history', { root: OTHER_ROOT }, 'holds another history'],
    ['a later generation', { origin: `${ORIGIN}2` }, 'a later generation'],
  ] as const) {
    it(`${sentence === null ? 'leaves open' : 'closes'} a log of which a peer shows ${what}`, async () => {
      const [first, second] = await twoEntries();
      shown = [first, change === 'earlier' ? first : { ...second, ...change }];
      const why = await closed();
      if (sentence === null) expect(why).to.equal(null);
      else expect(why).to.include(sentence).and.include('peer.test');
    });
  }

  it('closes an empty database of which a peer shows a log', async () => {
    shown = [{ origin: ORIGIN, size: 3, root: OTHER_ROOT }];
    expect(await guard.mayBegin()).to.equal(false);
    expect(await closed()).to.include('has 0 entries and the mirror');
  });
});

const ROOT = Buffer.alloc(32, 1);
const HEAD = {
  origin: 'board.test/log',
  size: 4,
  root: new Uint8Array(ROOT),
  lastMessageId: 2,
  time: 1,
  restored: false,
  restoring: false,
};
const JSON_HEAD = {
  origin: HEAD.origin,
  size: 4,
  root: ROOT.toString('base64'),
  last_message_id: 2,
  time: 1,
};

/** spec/mesh.md §B4: what is unreadable must not pass for "no head yet". */
describe('the head file', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await newFolder();
  });

  it('is read as it was written, private, with its flags', async () => {
    expect(await readHeadFile(dataDir)).to.equal(null);
    const flags = [{ restored: true }, { restoring: true }, {}];
    for (const head of flags.map((flag) => ({ ...HEAD, ...flag }))) {
      await writeHeadFile(dataDir, head);
      expect(await readHeadFile(dataDir)).to.deep.equal(head);
    }
    expect((await stat(headFile(dataDir))).mode & 0o777).to.equal(0o600);
  });

  for (const [what, text] of [
    ['is empty', ''],
    ['is no JSON', '{"origin":'],
    ['is null', 'null'],
    ['is a list', '[]'],
    ['lacks all', '{}'],
    ['lacks its time', JSON.stringify({ ...JSON_HEAD, time: undefined })],
    ['has half an entry', JSON.stringify({ ...JSON_HEAD, size: 4.5 })],
    ['has a size as text', JSON.stringify({ ...JSON_HEAD, size: '4' })],
    ['has a short root', JSON.stringify({ ...JSON_HEAD, root: 'AAAA' })],
    ['has no origin', JSON.stringify({ ...JSON_HEAD, origin: 7 })],
    ['has another origin', JSON.stringify({ ...JSON_HEAD, origin: 'x' })],
  ] as const) {
    it(`refuses a start where it ${what}`, async () => {
      await writeFile(headFile(dataDir), text);
      const error = await readHeadFile(dataDir).catch((thrown) => thrown);
      expect(error).to.be.instanceOf(StartRefusal);
      expect(error.about).to.equal('log head');
    });
  }

  it('that cannot be read is a failure, not "none"', async () => {
    await mkdir(headFile(dataDir));
    const error = await readHeadFile(dataDir).catch((thrown) => thrown.code);
    expect(error).to.equal('EISDIR');
  });
});

describe('the writer of the head file', () => {
  const log = givenEach(bareLog);
  let warned: string[];
  beforeEach(() => {
    warned = [];
  });

  const read = () => readHeadFile(log.dataDir);
  const update = () => updateHeadFile(log.db, log.dataDir, log.clock);

  function writer(
    dataDir = log.dataDir,
    closed: string | null = null,
  ): HeadFileWriter {
    const { db, clock } = log;
    const warn = (_facts: object, sentence: string) => warned.push(sentence);
    const logger = { ...silentLogger, warn } as Logger;
    const events = new Events();
    const guard = { closed };
    return new HeadFileWriter({
      ...{ db, dataDir, clock, events, guard },
      memory: new HeadMemory(),
      log: logger,
    });
  }

  it('keeps nothing of a log that is not there', async () => {
    await update();
    expect(await read()).to.equal(null);
  });

  it('keeps the head at start and at stop', async () => {
    await log.open();
    const writing = writer();
    await writing.start();
    expect(await read()).to.include({ origin: 'board.test/log', size: 1 });
    await log.open({ BASE_URL: 'http://moved.test' });
    await writing.stop();
    expect(await read()).to.include({ size: 2 });
    expect(warned).to.deep.equal([]);
  });

  it('never replaces a head by an earlier or an equal one', async () => {
    await log.open();
    for (const size of [1, 9]) {
      await writeHeadFile(log.dataDir, { ...HEAD, size });
      await update();
      expect(await read()).to.deep.equal({ ...HEAD, size });
    }
  });

  it('replaces that of a former generation and of a restored log', async () => {
    await log.open();
    await writeHeadFile(log.dataDir, { ...HEAD, size: 9, restored: true });
    await update();
    expect(await read()).to.include({ size: 1, restored: false });
    const second = { origin: 'board.test/log2' };
    await log.db.query('UPDATE log_state SET origin = $1', [second.origin]);
    await writeHeadFile(log.dataDir, { ...HEAD, size: 9 });
    await update();
    expect(await read()).to.include({ ...second, size: 1 });
  });

  it('writes nothing while the guard closes the log', async () => {
    await log.open();
    const writing = writer(log.dataDir, 'it was rolled back');
    await writing.start();
    await writing.stop();
    expect(await read()).to.equal(null);
  });

  it('warns of a folder that takes no file, and the board goes on', async () => {
    await log.open();
    const file = path.join(log.dataDir, 'file');
    await writeFile(file, '');
    const writing = writer(file);
    await writing.start();
    await writing.stop();
    const sentence = 'the head file could not be written';
    expect(warned).to.deep.equal([sentence, sentence]);
  });
});
