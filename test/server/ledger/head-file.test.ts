import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { Events } from '../../../server/db/events.js';
import { StartRefusal } from '../../../server/ledger/board-seed.js';
import {
  headFile,
  readHeadFile,
  writeHeadFile,
} from '../../../server/ledger/head-file.js';
import {
  HeadFileWriter,
  updateHeadFile,
} from '../../../server/ledger/head-file-writer.js';
import { HeadMemory } from '../../../server/ledger/head-memory.js';
import { type Logger, silentLogger } from '../../../server/logger.js';
import { givenEach } from '../../support/hooks.js';
import { bareLog } from './bare-log.js';

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

/** spec/mesh.md §B13: what is unreadable must not pass for "no head yet". */
describe('the head file', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(os.tmpdir(), 'head-'));
  });
  afterEach(() => rm(dataDir, { recursive: true }));

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
