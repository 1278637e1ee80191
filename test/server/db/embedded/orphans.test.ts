import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmbeddedDatabase } from '../../../../server/db/embedded/index.js';
import { isAlive } from '../../../support/is-alive.js';
import { until } from '../../../support/until.js';
import { command } from '../../cli/command.js';
import { expectRefusal, givenFolder, query } from './data-folder.js';

const socketOf = ({ connection: { host, port } }: EmbeddedDatabase) =>
  join(host, `.s.PGSQL.${port}`);

describe('a server that was left behind', () => {
  const on = givenFolder();
  let orphan: number;

  async function leaveBehind(): Promise<void> {
    const { connection, gone } = await on.start();
    orphan = (await on.serverPid()) ?? 0;
    const admin = { ...connection, user: 'postgres', database: 'postgres' };
    await query(
      admin,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'board supervisor'`,
    );
    await gone;
  }

  const lose: Record<string, () => Promise<void>> = {
    removed: () => rm(on.dataDir, { recursive: true, force: true }),
    moved: () => rename(on.dataDir, `${on.dataDir}.lost`),
    'emptied but for its folder': async () => {
      await rm(join(on.dataDir, 'pg18'), { recursive: true, force: true });
    },
  };

  for (const [how, away] of Object.entries(lose)) {
    it(`ends before another one begins where its folder was ${how}`, async () => {
      await leaveBehind();
      await away();
      await mkdir(on.dataDir, { recursive: true });
      const next = await on.start();
      await until('the orphan ends', () => !isAlive(orphan));
      expect(await query(next.connection, 'SELECT 1 AS n')).to.have.length(1);
    });
  }

  it('ends though a signal stopped it, in its place or gone from there', async () => {
    for (const away of [async () => {}, lose.removed]) {
      await leaveBehind();
      process.kill(orphan, 'SIGSTOP');
      await away?.();
      const next = await on.start();
      await until('the orphan ends', () => !isAlive(orphan));
      await query(next.connection, 'SELECT 1');
      await next.stop();
    }
  }).timeout(60_000);

  it('is started again where its socket or its lock file was removed', async () => {
    for (const name of ['socket', 'pg18/postmaster.pid']) {
      await leaveBehind();
      await rm(join(on.dataDir, name), { recursive: true });
      const next = await on.start();
      expect(next.adopted, name).to.equal(false);
      await until('the orphan ends', () => !isAlive(orphan));
      await next.stop();
    }
  }).timeout(60_000);

  it('is named by doctor where nothing else is left', async () => {
    await leaveBehind();
    await lose.removed?.();
    const { stdout } = await command(['doctor'], { DATA_DIR: on.dataDir });
    expect(stdout).to.match(
      new RegExp(`database +not made yet, .* as process ${orphan}\n`),
    );
    expect(isAlive(orphan)).to.equal(true);
    process.kill(orphan, 'SIGKILL');
  });

  it('goes on, and is named with what to do, while a node uses it', async () => {
    const using = await on.start();
    orphan = (await on.serverPid()) ?? 0;
    await rename(on.dataDir, `${on.dataDir}.lost`);
    const message = await expectRefusal(on.start(), `process ${orphan}`);
    expect(message).to.include('; stop the node that runs on it');
    expect(isAlive(orphan)).to.equal(true);
    await rename(`${on.dataDir}.lost`, on.dataDir);
    expect((await on.start()).adopted).to.equal(true);
    await query(using.connection, 'SELECT 1');
  }).timeout(30_000);

  it('is named by doctor within seconds where it hangs and is used', async () => {
    const using = await on.start();
    orphan = (await on.serverPid()) ?? 0;
    process.kill(orphan, 'SIGSTOP');
    const since = Date.now();
    const args = ['doctor', '--deep'];
    const { stdout } = await command(args, { DATA_DIR: on.dataDir });
    process.kill(orphan, 'SIGCONT');
    expect(Date.now() - since).to.be.below(20_000);
    expect(stdout).to.include(`(process ${orphan}) runs and does not answer`);
    expect(stdout).not.to.include('recover.md');
    await query(using.connection, 'SELECT 1');
  }).timeout(60_000);

  it('cannot remove the socket of the next one', async () => {
    const first = await on.start();
    const pid = (await on.serverPid()) ?? 0;
    await rename(join(on.dataDir, 'pg18'), join(on.dataDir, 'pg18-lost'));
    const socket = socketOf(first);
    process.kill(pid, 'SIGINT');
    await until('it ends', () => !isAlive(pid));
    const next = await on.start();
    expect(socketOf(next)).to.not.equal(socket);
  });
});
