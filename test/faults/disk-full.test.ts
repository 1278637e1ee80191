import {
  chown,
  cp,
  readdir,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import path from 'node:path';
import { FULL } from '../support/full.js';
import { chosenSeed, randomOf } from '../support/random.js';
import { until } from '../support/until.js';
import { draft, post } from '../support/wire.js';
import { NodeProcess } from './node-process.js';
import { recordFaults, recordNotRun } from './report.js';
import { type SmallDisk, smallDisk } from './small-disk.js';
import { Writers } from './writers.js';

const DATA = FULL ? 5 : 1;
/** At full size only: each takes a start more. */
const WAL = FULL ? [3] : [];
const LOG = FULL ? 3 : 1;
const DISK_MB = 260;
/** Long enough that a few of them need pages that are not there. */
const LONG = 'x'.repeat(3500);

describe('a node whose disk is full', () => {
  const seed = chosenSeed();
  let disks: SmallDisk[] = [];
  let node: NodeProcess | null = null;

  afterEach(async () => {
    await node?.remove();
    node = null;
    for (const disk of disks.reverse()) await disk.remove();
    disks = [];
  });

  async function disk(megabytes: number): Promise<SmallDisk | null> {
    const made = await smallDisk(megabytes);
    if (made !== null) disks.push(made);
    return made;
  }

  const writersOf = (on: NodeProcess) =>
    new Writers({
      ...{ on, count: 4, random: randomOf(seed), mayHangUp: false },
      body: (text) => `${text} ${LONG}`,
    });

  /** Until a write was refused for want of room, as it has to be. */
  async function refused(
    on: NodeProcess,
    nudge: () => Promise<unknown> = async () => {},
  ): Promise<void> {
    await until('a refusal', async () => {
      await nudge();
      const asked = draft(null, LONG);
      const { status } = await post(on.url, '/write/preview', asked);
      expect(status).to.be.oneOf([200, 503]);
      return status === 503;
    });
  }

  async function readable(on: NodeProcess, statuses: number[]): Promise<void> {
    const answer = await fetch(`${on.url}/api/threads`, {
      headers: { 'X-Forwarded-For': '198.51.100.9' },
    });
    expect(answer.status, await answer.text()).to.be.oneOf(statuses);
  }

  async function filled(
    full: SmallDisk,
    rounds: number,
    nudge?: () => Promise<unknown>,
  ) {
    if (node === null) throw new Error('no node');
    const writers = writersOf(node);
    writers.start();
    for (let round = 0; round < rounds; round += 1) {
      await writers.progress(10);
      await full.fill();
      await refused(node, nudge);
      await readable(node, [200, 503]);
      expect(node.alive).to.equal(true);
      await full.empty();
    }
    await writers.progress(10); // by itself
    await writers.stop();
    // Ready it is not: so small a disk is itself an alarm.
    return await writers.check();
  }

  it(`refuses writes and goes on by itself, ${DATA} times`, async () => {
    const room = await disk(DISK_MB);
    if (room === null) return await recordNotRun('A6', 'it may not mount');
    const dataDir = path.join(room.folder, 'data');
    node = await NodeProcess.create({ dataDir });
    const { votes: _, ...outcome } = await filled(room, DATA);
    await recordFaults({ test: 'A6 data', seed, faults: DATA, ...outcome });
  });

  for (const times of WAL) {
    it(`loses nothing when the WAL has no room, ${times} times`, async () => {
      const room = await disk(DISK_MB);
      const walRoom = await disk(80);
      if (room === null || walRoom === null) {
        return await recordNotRun('A6 WAL', 'it may not mount');
      }
      const dataDir = path.join(room.folder, 'data');
      node = await NodeProcess.create({ dataDir });
      expect(await node.end('SIGTERM')).to.equal(0);
      const wal = path.join(node.cluster, 'pg_wal');
      const moved = path.join(walRoom.folder, 'pg_wal');
      const { uid, gid } = await stat(wal);
      await cp(wal, moved, { recursive: true, preserveTimestamps: true });
      await owned(moved, uid, gid);
      await rename(wal, `${wal}.old`);
      await rm(`${wal}.old`, { recursive: true });
      await symlink(moved, wal);
      await node.start();
      const of = node;
      // The next file of the WAL is wanted at once, not megabytes later.
      const nudge = () =>
        of.query('SELECT pg_switch_wal()').catch(() => undefined);
      const { votes: _, ...outcome } = await filled(walRoom, times, nudge);
      await recordFaults({ test: 'A6 WAL', seed, faults: times, ...outcome });
    });
  }

  it(`does not need its log to be written, ${LOG} times`, async () => {
    const room = await disk(8);
    if (room === null) return await recordNotRun('A6 log', 'it may not mount');
    const log = path.join(room.folder, 'log');
    node = await NodeProcess.create({
      shell: `exec >>${log} 2>&1`,
      mute: true,
    });
    const writers = writersOf(node);
    writers.start();
    for (let round = 0; round < LOG; round += 1) {
      await writers.progress(10);
      await room.fill();
      // A database that dies is what makes many lines.
      await node.endDatabase('SIGKILL');
      await writers.progress(10);
      await room.empty();
    }
    await writers.stop();
    expect(node.alive).to.equal(true);
    expect((await stat(log)).size).to.be.above(0);
    const { votes: _, ...outcome } = await writers.check();
    await recordFaults({ test: 'A6 log', seed, faults: LOG, ...outcome });
  });
});

/** What was copied by root belongs to whoever had it. */
async function owned(folder: string, uid: number, gid: number): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  await chown(folder, uid, gid);
  for (const name of names) await chown(path.join(folder, name), uid, gid);
}
