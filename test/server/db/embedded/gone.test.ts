import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type EmbeddedDatabase,
  startEmbedded,
} from '../../../../server/db/embedded/index.js';
import { lastWord } from '../../../../server/db/embedded/run.js';
import { watchEmbedded } from '../../../../server/db/embedded/watchdog.js';
import { isAlive } from '../../../support/is-alive.js';
import { until } from '../../../support/until.js';
import { DataFolder, query } from './data-folder.js';

describe('a database that is taken away', () => {
  const on = new DataFolder();
  let watched: EmbeddedDatabase;
  let lines: string[];

  beforeEach(async () => {
    await on.make();
    const { dataDir } = on;
    lines = [];
    const log = (line: string) => lines.push(line);
    const first = await startEmbedded({ dataDir, log });
    const { systemId } = first;
    const start = () => startEmbedded({ dataDir, log, systemId });
    watched = watchEmbedded({ first, start, log });
  });

  afterEach(async () => {
    await watched.stop();
    await on.remove();
  });

  const cluster = () => join(on.dataDir, 'pg18');
  /** In one step: into a folder being emptied the server goes on writing. */
  const takeAway = (dir: string) => rename(dir, join(on.folder, 'away'));
  const gone = () => lines.filter((line) => line.includes('began with'));

  async function serverDies(away: () => Promise<void>): Promise<void> {
    const pid = await on.serverPid();
    await away();
    process.kill(pid ?? 0, 'SIGKILL');
    await until('it is noticed', () => gone().length > 0);
  }

  it('is said once in one line, and nothing is made in its place', async () => {
    await serverDies(() => takeAway(on.dataDir));
    const [line = ''] = gone();
    expect(line).to.include(cluster()).and.include('stop the node');
    expect(line).to.not.include('\n');
    expect(await on.serverPid()).to.equal(null);
    await watched.stop();
    expect(gone()).to.have.length(1);
  });

  it('comes back with its folder', async () => {
    const { connection } = watched;
    await query(connection, 'CREATE TABLE kept (id integer)');
    const aside = `${cluster()}-aside`;
    await serverDies(() => rename(cluster(), aside));
    await rename(aside, cluster());
    await until('it comes back', () => lines.at(-1) === 'database started');
    expect(await query(connection, 'SELECT * FROM kept')).to.deep.equal([]);
  });

  it('is stopped, and not the one that was begun in its place', async () => {
    const pid = (await on.serverPid()) ?? 0;
    await takeAway(on.dataDir);
    const beginning = on.start(); // waits for the end of the other one
    await watched.stop();
    await until('its server ends', () => !isAlive(pid));
    const other = await beginning;
    await query(other.connection, 'SELECT 1');
    await other.stop();
  });

  const lost: Record<string, () => Promise<unknown>> = {
    'without its socket': () =>
      rm(join(on.dataDir, 'socket'), { recursive: true }),
    'that a signal stopped': async () =>
      process.kill((await on.serverPid()) ?? 0, 'SIGSTOP'),
  };

  for (const [how, lose] of Object.entries(lost)) {
    it(`answers again at its place within 15 seconds, ${how}`, async () => {
      await lose();
      const since = Date.now();
      await until('it answers', () =>
        query(watched.connection, 'SELECT 1').then(Boolean, () => false),
      );
      expect(Date.now() - since).to.be.below(15_000);
    }).timeout(30_000);
  }

  it('is not mistaken for another one in its place', async () => {
    const other = new DataFolder();
    await other.make();
    try {
      await (await other.start()).stop();
      await serverDies(async () => {
        await takeAway(cluster());
        await rename(join(other.dataDir, 'pg18'), cluster());
      });
      expect(gone()).to.have.length(1);
      expect(await on.serverPid()).to.equal(null); // it is not even started
    } finally {
      await other.remove();
    }
  });
});

describe('what a PostgreSQL program says last', () => {
  it('is the line that tells why', () => {
    const log = [
      '2026-11-21 21:00:00.000 UTC [12] LOG:  starting',
      '2026-11-21 21:00:00.001 UTC [12] FATAL:  lock file "x" already exists',
      '2026-11-21 21:00:00.001 UTC [12] HINT:  Is another one running?',
      'pg_ctl: could not start server',
      'Examine the log output.',
      '',
    ];
    expect(lastWord(log.join('\n'))).to.equal(
      'FATAL:  lock file "x" already exists',
    );
    expect(lastWord('initdb: error: no room\n')).to.equal(
      'initdb: error: no room',
    );
    const empty = 'pg_ctl: could not start server\nExamine the log output.\n';
    expect(lastWord(empty)).to.equal('Examine the log output.');
    expect(lastWord('')).to.equal('it says nothing');
  });
});
