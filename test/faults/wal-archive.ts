import {
  appendFile,
  chown,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '../support/until.js';
import type { NodeProcess } from './node-process.js';

type Owner = { uid: number; gid: number };

/**
 * Files of a running server, copied by PostgreSQL's own steps for that, and
 * every file of its WAL since (spec/operators.md §R8). The embedded PostgreSQL
 * comes without `pg_basebackup`; what that asks of the server is asked here.
 */
export class WalArchive {
  private constructor(
    private readonly node: NodeProcess,
    private readonly folder: string,
    private readonly owner: Owner,
  ) {}

  static async of(node: NodeProcess): Promise<WalArchive> {
    const folder = await mkdtemp(path.join(tmpdir(), 'reserve-wal-'));
    const archive = new WalArchive(node, folder, await stat(node.cluster));
    const { wal } = archive;
    for (const to of [folder, wal]) {
      if (to === wal) await mkdir(to);
      await archive.own(to);
    }
    await node.query('ALTER SYSTEM SET archive_mode = on');
    await node.query(
      `ALTER SYSTEM SET archive_command = 'test ! -f ${wal}/%f && cp %p ${wal}/%f'`,
    );
    await node.end('SIGTERM');
    await node.start();
    return archive;
  }

  private get wal(): string {
    return path.join(this.folder, 'wal');
  }

  private get base(): string {
    return path.join(this.folder, 'base');
  }

  private async own(name: string): Promise<void> {
    await chown(name, this.owner.uid, this.owner.gid);
  }

  /** The files as they are, while whoever writes goes on. */
  async copyFiles(): Promise<void> {
    const admin = await this.node.admin();
    try {
      await admin.query("SELECT pg_backup_start('drill', true)");
      await this.copy(this.node.cluster, this.base);
      const { rows } = await admin.query<{ labelfile: string }>(
        'SELECT labelfile FROM pg_backup_stop(true)',
      );
      const label = path.join(this.base, 'backup_label');
      await writeFile(label, rows[0]?.labelfile ?? '');
      await this.own(label);
    } finally {
      await admin.end();
    }
  }

  /** Waits until all that was written so far is in the archive. */
  async complete(): Promise<void> {
    const [switched] = await this.node.query<{ name: string }>(
      'SELECT pg_walfile_name(pg_switch_wal()) AS name',
    );
    await until('an archive that is complete', async () =>
      (await readdir(this.wal)).includes(switched?.name ?? ''),
    );
    await until('the word of the archiver', async () => {
      const [last] = await this.node.query<{ name: string | null }>(
        'SELECT last_archived_wal AS name FROM pg_stat_archiver',
      );
      return (last?.name ?? '') >= (switched?.name ?? '');
    });
  }

  /** What the next start of the node finds: its files as of that moment. */
  async takeBack(moment: string): Promise<void> {
    const { cluster } = this.node;
    await rm(cluster, { recursive: true });
    await this.copy(this.base, cluster);
    const settings = {
      archive_mode: 'off',
      hot_standby: 'off', // nobody looks in before it has got there
      restore_command: `cp ${this.wal}/%f %p`,
      recovery_target_time: moment,
      recovery_target_action: 'promote',
    };
    const lines = Object.entries(settings).map(
      ([name, value]) => `${name} = '${value}'\n`,
    );
    await appendFile(
      path.join(cluster, 'postgresql.auto.conf'),
      lines.join(''),
    );
    const signal = path.join(cluster, 'recovery.signal');
    await writeFile(signal, '');
    await this.own(signal);
  }

  /** A file may go while it is copied; the WAL tells what became of it. */
  private async copy(from: string, to: string): Promise<void> {
    await mkdir(to, { mode: 0o700 });
    await this.own(to);
    for (const entry of await readdir(from, { withFileTypes: true })) {
      const { name } = entry;
      const one = [path.join(from, name), path.join(to, name)] as const;
      if (entry.isDirectory()) await this.copy(...one);
      if (!entry.isFile() || left(from, name)) continue;
      try {
        await copyFile(...one);
        await this.own(one[1]);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** What is of the server that ran, not of its data. */
function left(folder: string, name: string): boolean {
  const wal = path.basename(folder) === 'pg_wal';
  return wal || name.startsWith('postmaster.');
}
