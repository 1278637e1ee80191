// A mistake destroys rows, and PostgreSQL is taken back to a second before it:
// `npm run drill:pitr -- --times 3 --seed 7`.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { expect } from 'chai';
import { NodeProcess } from '../faults/node-process.js';
import { Writers } from '../faults/writers.js';
import { startCluster, stopCluster } from '../support/cluster.js';
import { randomOf } from '../support/random.js';
import { until } from '../support/until.js';
import { draft, post } from '../support/wire.js';
import { ArchivedServer } from './archived-server.js';
import { findPrograms } from './programs.js';
import { circumstances, writeReport } from './report.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SECTION = '### <a id="large-backups"></a>';
/** What the operator did not mean to do. */
const MISTAKE = 'DROP TABLE vote, ballot CASCADE';
const WRITERS = 4;

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '3' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const [times, seed] = [Number(values.times), Number(values.seed)];
const random = randomOf(seed);
const programs = findPrograms([]);

/** The settings that docs/operate.md prints, to archive and to restore. */
async function documented(): Promise<[archive: string, restore: string]> {
  const text = await readFile(path.join(ROOT, 'docs', 'operate.md'), 'utf8');
  const section = text.split(SECTION)[1]?.split('\n#')[0] ?? '';
  const [archive, restore] = [...section.matchAll(/```ini\n(.*?)```/gs)].map(
    ([, block = '']) => block,
  );
  if (archive === undefined || restore === undefined) {
    throw new Error('docs/operate.md prints no settings');
  }
  return [archive, restore];
}

type Round = {
  /** Acknowledged before the moment, after it, and lost by the recovery. */
  before: number;
  after: number;
  lost: number;
  /** From the start of the restored server to open writes. */
  recoveredMs: number;
  restoredMs: number;
};

type Held = Map<number, string>;

async function round(restore: string): Promise<Round> {
  const some = () => 20 + Math.floor(random() * 60);
  const [archive] = await documented();
  const server = await ArchivedServer.create(programs.postgres, archive);
  const env = { DATABASE_URL: server.url };
  const node = await NodeProcess.create({ linked: true, env });
  const peer = await NodeProcess.create({ linked: true });
  try {
    await link(node, peer);
    const writers = new Writers({
      url: () => node.url,
      query: (sql) => server.query(sql),
      count: WRITERS,
      random,
      mayHangUp: false,
    });
    writers.start();
    await writers.progress(some());
    await server.baseBackup('base');
    await writers.progress(some());
    await writers.stop();
    const before = await held(server);
    const [now] = await server.query<{ moment: string }>(
      'SELECT clock_timestamp()::text AS moment',
    );
    // The last second before the mistake goes on being written.
    writers.start();
    await writers.progress(some());
    await writers.stop();
    const all = await held(server);
    const size = await sizeOf(server);
    await until('the mirror of all', async () => {
      const [row] = await peer.query<{ size: number }>(
        'SELECT size::int FROM log_state WHERE origin_id > 0',
      );
      return row?.size === size;
    });
    await server.query(MISTAKE);
    await node.end('SIGTERM');
    await server.archived();
    await server.stop();

    const since = performance.now();
    const at = now?.moment ?? '';
    await server.takeBack('base', restore.replace(/'\d{4}-.*'/, `'${at}'`));
    const recoveredMs = performance.now() - since;
    const left = await held(server);
    for (const [id, text] of before) expect(left.get(id)).to.equal(text);
    await server.query('SELECT count(*) FROM vote');
    const lost = all.size - left.size;
    expect(lost).to.be.above(0);

    await node.start();
    const refused = await post(node.url, '/write/preview', draft(1));
    expect([refused.status, refused.body.error]).to.eql([503, 'log_guard']);
    expect(await sizeOf(server), 'nothing was signed').to.be.below(size);
    await node.command('log', 'restore', '--from', peer.url, '--json');
    await node.ready();
    const restoredMs = performance.now() - since;
    expect(await sizeOf(server)).to.equal(size);
    expect([...(await held(server))]).to.eql([...all]);
    // It compares every root with the signed ones, and with the peer's mirror.
    await node.command('doctor', '--deep', '--json');
    writers.start();
    await writers.progress(10);
    await writers.stop();
    const after = all.size - before.size;
    return { before: before.size, after, lost, recoveredMs, restoredMs };
  } finally {
    await peer.remove();
    if (node.alive) await node.end('SIGTERM');
    await server.remove();
  }
}

/** Each of the two confirms the other. */
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

async function held(server: ArchivedServer): Promise<Held> {
  const rows = await server.query<{ id: number; body: string }>(
    'SELECT id::int, body FROM message ORDER BY id',
  );
  return new Map(rows.map(({ id, body }) => [id, body]));
}

async function sizeOf(server: ArchivedServer): Promise<number> {
  const [row] = await server.query<{ size: number }>(
    'SELECT size::int FROM log_state WHERE origin_id = 0',
  );
  return row?.size ?? 0;
}

function reportOf(rounds: readonly Round[]): string {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  const rows = rounds.map(
    (one, n) =>
      `| ${n + 1} | ${one.before} | ${one.after} | ${one.lost} | ${one.lost} | ${seconds(one.recoveredMs)} | ${seconds(one.restoredMs)} |`,
  );
  return `# Point-in-time recovery

Written by \`npm run drill:pitr -- --times ${times} --seed ${seed}\`.

${circumstances({ seed, programs })}

Each time ${WRITERS} writers publish to a board that a linked board mirrors, \`pg_basebackup\` copies the
running server, and WAL is archived by the settings that [operate.md](../docs/operate.md#large-backups)
prints. Then \`${MISTAKE}\` is sent. The server is taken back to a moment before
it. The node closes writes (\`log_guard\`) and signs nothing, as its log lacks what was published after
that moment. \`log restore\` brings it back from the mirror: every text and the size of the log are
as before the mistake, and \`doctor --deep\` finds every root as it was signed.

| | published by the moment | after it | lost by the recovery | back from the mirror | server recovered | writes open |
| --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
}

await startCluster();
try {
  const [, restore] = await documented();
  const rounds: Round[] = [];
  for (let n = 1; n <= times; n += 1) {
    const one = await round(restore);
    console.log(`${n}`, one);
    rounds.push(one);
  }
  await writeReport('pitr.md', reportOf(rounds));
} finally {
  await stopCluster();
}
