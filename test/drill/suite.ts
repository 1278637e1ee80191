// The tests of endpoints, each board of them as two processes behind HAProxy
// that read from a standby: `npm run test:cluster`, on the board's PostgreSQL
// and on Debian's; with files, these alone.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { PostgresServer } from '../support/postgres-server.js';
import { chosenSeed } from '../support/random.js';
import { makeRunFolder, runFolder } from '../support/run-folder.js';
import { endAllBySignal } from './end-by-signal.js';
import { ONE_PROCESS } from './one-process.js';
import { findPrograms, type Programs } from './programs.js';
import { circumstances, writeReport } from './report.js';

const PLACE = 'test/server';
const FOLDERS = [
  ...['posting', 'reading', 'votes', 'polls', 'search', 'moderation'],
  ...['agents', 'selections', 'feeds', 'site'],
];
const SETTINGS = { max_connections: '300', wal_keep_size: '2GB' };

type Outcome = { file: string; title: string; passed: boolean; error?: string };
type Round = { server: string; outcomes: Outcome[] };

async function filesToRun(): Promise<string[]> {
  const named = process.argv.slice(2);
  if (named.length > 0) return named;
  const found: string[] = [];
  for (const folder of FOLDERS) {
    const files = await readdir(`${PLACE}/${folder}`, { recursive: true });
    found.push(...files.map((file) => `${folder}/${file}`));
  }
  return found
    .filter((file) => file.endsWith('.test.ts') && !(file in ONE_PROCESS))
    .map((file) => `${PLACE}/${file}`)
    .sort();
}

/** Runs files on a primary of these programs and a standby of it. */
async function run(files: string[], programs?: string): Promise<Round> {
  const options = programs === undefined ? {} : { programs };
  const primary = await PostgresServer.create({
    settings: SETTINGS,
    ...options,
  });
  const standby = await primary.standby();
  try {
    const [row] = await primary.query<{ version: string }>(
      "SELECT current_setting('server_version') AS version",
    );
    const notes = path.join(runFolder(), `outcomes-${primary.port}`);
    const mocha = path.join('node_modules', 'mocha', 'bin', 'mocha.js');
    const reporter = ['--reporter', './test/faults/outcomes.cjs'];
    const child = spawn(
      process.execPath,
      [mocha, '--jobs', '2', ...reporter, ...files],
      {
        stdio: 'inherit',
        env: {
          ...process.env,
          TEST_DATABASE_URL: primary.url('postgres'),
          TEST_REPLICA_URL: standby.url('postgres'),
          FAULTS_OUTCOMES: notes,
        },
      },
    );
    await once(child, 'exit');
    const lines = (await readFile(notes, 'utf8')).trim().split('\n');
    const outcomes = lines.map((line) => JSON.parse(line) as Outcome);
    return { server: `PostgreSQL ${row?.version}`, outcomes };
  } finally {
    await standby.remove();
    await primary.remove();
  }
}

function countsOf({ server, outcomes }: Round): string {
  const failed = outcomes.filter(({ passed }) => !passed).length;
  return `| ${server} | ${new Set(outcomes.map(({ file }) => file)).size} | ${outcomes.length - failed} | ${failed} |`;
}

async function report(programs: Programs, rounds: Round[]): Promise<void> {
  const failures = rounds.flatMap(({ server, outcomes }) =>
    outcomes
      .filter(({ passed }) => !passed)
      .map(({ file, title }) => `- ${server}: ${file}, ${title}`),
  );
  const left = Object.entries(ONE_PROCESS).map(
    ([file, why]) => `| ${file} | ${why} |`,
  );
  const files = new Set(
    rounds.flatMap(({ outcomes }) => outcomes.map(({ file }) => file)),
  );
  await writeReport(
    'cluster-suite.md',
    `# The tests of endpoints, on a cluster

Written by \`npm run test:cluster\`: each board of these test files is two processes on one database
with a streaming replica, behind HAProxy by [deploy/cluster](../deploy/cluster). Each request goes to
the next process, and each statement that a replica may answer to the replica. \`FAST_PATHS\` is off, as
a cached answer may be 250 ms old on the other process.

${circumstances({ seed: chosenSeed(), programs })}

| server | files | passed | failed |
| --- | --- | --- | --- |
${rounds.map(countsOf).join('\n')}

${failures.join('\n')}

Files: ${[...files]
      .sort()
      .map((file) => file.replace('server/', '').replace('.test.ts', ''))
      .join(', ')}.

Files of the same folders that are left out:

| file | why |
| --- | --- |
${left.join('\n')}
`,
  );
  process.exitCode = failures.length === 0 ? 0 : 1;
}

const programs = findPrograms(['haproxy']);
await makeRunFolder();
endAllBySignal();
try {
  const files = await filesToRun();
  const rounds = [await run(files), await run(files, programs.postgres)];
  await report(programs, rounds);
} finally {
  await rm(runFolder(), { recursive: true, force: true });
}
