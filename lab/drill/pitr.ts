// A mistake destroys rows, and PostgreSQL is taken back to the moment before it:
// `npm run drill:pitr -- --times 3 --seed 7`.
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { NodeProcess } from '../../test/faults/node-process.js';
import { Writers } from '../../test/faults/writers.js';
import { checkLedger } from '../../test/support/check-ledger.js';
import { PostgresServer } from '../../test/support/postgres-server.js';
import { findPrograms } from '../../test/support/programs.js';
import { randomOf } from '../../test/support/random.js';
import { until } from '../../test/support/until.js';
import { draft, post } from '../../test/support/wire.js';
import { drill, options } from './drill.js';
import { circumstances, seconds, writeReport } from './report.js';

const DOCUMENT = new URL('../../docs/operate.md', import.meta.url);
const SECTION = '### <a id="large-backups"></a>';
/** What the operator did not mean to do. */
const MISTAKE = 'DROP TABLE vote, ballot CASCADE';
const WRITERS = 4;

const { times, seed } = options('times', 3);
const random = randomOf(seed);
const programs = findPrograms([]);

async function documented(): Promise<[archive: string, restore: string]> {
  const text = await readFile(DOCUMENT, 'utf8');
  const section = text.split(SECTION)[1]?.split('\n#')[0] ?? '';
  const [archive, restore] = [...section.matchAll(/```ini\n(.*?)```/gs)].map(
    ([, block = '']) => block,
  );
  if (archive === undefined || restore === undefined) {
    throw new Error('docs/operate.md prints no settings');
  }
  return [archive, restore];
}

class Archived {
  private constructor(
    readonly server: PostgresServer,
    private readonly folder: string,
    private readonly settings: string,
  ) {}

  static async create(settings: string): Promise<Archived> {
    const server = await PostgresServer.create({ programs: programs.postgres });
    const folder = path.join(path.dirname(server.data), 'backups');
    const archived = new Archived(server, folder, settings);
    await server.program('/bin/mkdir', '-p', path.join(folder, 'wal'));
    await archived.set(settings);
    await server.end();
    await server.start();
    return archived;
  }

  private async set(text: string): Promise<void> {
    const here = text.replaceAll('/backups', this.folder);
    await this.server.write('postgresql.auto.conf', here);
  }

  async baseBackup(): Promise<void> {
    const { server, folder } = this;
    const base = path.join(folder, 'base');
    const from = server.url('postgres');
    await server.program(
      'pg_basebackup',
      ...['-d', from, '-D', base, '-c', 'fast'],
    );
    await server.program('pg_verifybackup', base);
  }

  /** Waits until all that was written so far is in the archive. */
  async complete(): Promise<void> {
    const [row] = await this.server.query<{ name: string }>(
      'SELECT pg_walfile_name(pg_switch_wal()) AS name',
    );
    await until('an archive that is complete', async () => {
      const files = await readdir(path.join(this.folder, 'wal'));
      return files.includes(row?.name ?? '');
    });
  }

  /** Puts the base backup in place of the files, and recovers by settings. */
  async takeBack(restore: string): Promise<void> {
    const { server, folder, settings } = this;
    await server.end();
    await rm(server.data, { recursive: true });
    await server.program(
      '/bin/cp',
      '-a',
      path.join(folder, 'base'),
      server.data,
    );
    await this.set(`${settings}\n${restore}`);
    await server.write('recovery.signal', '');
    await server.start();
    await until('the end of the recovery', async () => {
      const [row] = await server.query<{ over: boolean }>(
        'SELECT NOT pg_is_in_recovery() AS over',
      );
      return row?.over === true;
    });
  }
}

type Round = {
  before: number;
  after: number;
  /** From the stop of the server: until it answers, and until writes are open. */
  recoveredMs: number;
  openMs: number;
};

type Held = Map<number, string>;

async function round(archive: string, restore: string): Promise<Round> {
  const some = () => 20 + Math.floor(random() * 60);
  const archived = await Archived.create(archive);
  const { server } = archived;
  const env = { DATABASE_URL: server.url() };
  const node = await NodeProcess.create({ linked: true, env });
  const peer = await NodeProcess.create({ linked: true });
  const writers = new Writers({
    on: { url: node.url, query: (sql) => server.query(sql) },
    ...{ count: WRITERS, random, mayHangUp: false },
  });
  const write = async (more: number) => {
    writers.start();
    await writers.progress(more);
    await writers.stop();
  };
  try {
    await link(node, peer);
    await write(some());
    await archived.baseBackup();
    await write(some());
    const before = await held(server);
    const [now] = await server.query<{ moment: string }>(
      'SELECT clock_timestamp()::text AS moment',
    );
    await write(some());
    const all = await held(server);
    const { size } = await checkLedger(node);
    await until('the mirror of all', async () => {
      const [row] = await peer.query<{ size: number }>(
        'SELECT size::int FROM log_state WHERE origin_id > 0',
      );
      return row?.size === size;
    });
    await server.query(MISTAKE);
    await node.end('SIGTERM');
    await archived.complete();

    const since = performance.now();
    const moment = `recovery_target_time = '${now?.moment}'`;
    await archived.takeBack(restore.replace(/recovery_target_time.*/, moment));
    const recoveredMs = performance.now() - since;
    expect([...(await held(server))]).to.eql([...before]);
    await server.query('SELECT count(*) FROM vote');

    await node.start();
    const refused = await post(node.url, '/write/preview', draft(1));
    expect([refused.status, refused.body.error]).to.eql([503, 'log_guard']);
    await node.command('log', 'restore', '--from', peer.url, '--json');
    await node.ready();
    const openMs = performance.now() - since;
    expect((await checkLedger(node)).size).to.equal(size);
    expect([...(await held(server))]).to.eql([...all]);
    await write(10);
    const after = all.size - before.size;
    return { before: before.size, after, recoveredMs, openMs };
  } finally {
    await peer.remove();
    if (node.alive) await node.end('SIGTERM');
    await server.remove();
  }
}

async function link(node: NodeProcess, peer: NodeProcess): Promise<void> {
  for (const [at, of] of [
    [node, peer],
    [peer, node],
  ] as const) {
    const { log } = JSON.parse(await of.command('keys', 'show', '--json'));
    const more = ['--confirm', log, '--content', 'all', '--json'];
    await at.command('peer', 'add', of.url, ...more);
  }
}

async function held(server: PostgresServer): Promise<Held> {
  const rows = await server.query<{ id: number; body: string }>(
    'SELECT id::int, body FROM message ORDER BY id',
  );
  return new Map(rows.map(({ id, body }) => [id, body]));
}

function reportOf(rounds: readonly Round[]): string {
  const rows = rounds.map(
    (one, n) =>
      `| ${n + 1} | ${one.before} | ${one.after} | ${seconds(one.recoveredMs)} | ${seconds(one.openMs)} |`,
  );
  return `# Point-in-time recovery

Written by \`npm run drill:pitr\`. Each time ${WRITERS} writers publish to a board that a linked board
mirrors, \`pg_basebackup\` copies its running PostgreSQL, and WAL is archived by the settings that
[operate.md](../docs/operate.md#large-backups) prints. Then somebody sends \`${MISTAKE}\`.

${circumstances({ seed, programs })}

The server is taken back to a moment before the mistake: it has every message up to that moment, and
the lost tables. Then the node starts, closes writes (\`log_guard\`) and signs nothing, as its log lacks
what came after the moment. \`log restore\` brings that back from the mirror. Every text and the size of
the log are as before the mistake, the root of the whole log is as it was signed (checked from the
public log alone), and writers go on.

| | messages by the moment | after it, all back from the mirror | PostgreSQL answers after | writes are open after |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
}

await drill(async () => {
  const [archive, restore] = await documented();
  const rounds: Round[] = [];
  for (let n = 1; n <= times; n += 1) {
    const one = await round(archive, restore);
    console.log(`${n}`, one);
    rounds.push(one);
  }
  await writeReport('pitr.md', reportOf(rounds));
});
