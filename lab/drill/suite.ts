// The tests of endpoints, each board of them as two processes behind HAProxy
// that read from a standby: `npm run test:cluster`, on the board's PostgreSQL
// and on Debian's; with files, these alone.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { PostgresServer } from '../../test/support/postgres-server.js';
import { findPrograms, type Programs } from '../../test/support/programs.js';
import { chosenSeed } from '../../test/support/random.js';
import { makeRunFolder, runFolder } from '../../test/support/run-folder.js';
import { linesOf, type Outcome } from '../outcome.js';
import { endAllBySignal } from './drill.js';
import leftOut from './one-process.json' with { type: 'json' };
import { circumstances, writeReport } from './report.js';

const PLACE = 'test/server';
/** Those of what a board answers; `http` is about the edge of one process. */
const FOLDERS = [
  ...['posting', 'reading', 'votes', 'polls', 'search', 'moderation'],
  ...['agents', 'selections', 'feeds', 'site', 'mcp', 'api-docs', 'stats'],
];
const SETTINGS = { max_connections: '300', wal_keep_size: '2GB' };

type Round = {
  server: string;
  outcomes: Outcome[];
  /** How Mocha ended, where no failed test says why. */
  ended: string | null;
  /** Files of which no test ran, though not all are left out. */
  missing: string[];
};

async function filesToRun(): Promise<string[]> {
  const named = process.argv.slice(2);
  if (named.length > 0) return named;
  const found: string[] = [];
  for (const folder of FOLDERS) {
    const files = await readdir(`${PLACE}/${folder}`, { recursive: true });
    found.push(...files.map((file) => `${folder}/${file}`));
  }
  return found
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `${PLACE}/${file}`)
    .sort();
}

/** Whether one-process.json names tests of it; some files have no others. */
const isLeftOut = (file: string) => path.relative('server', file) in leftOut;

function withoutOneProcess(): string[] {
  const titles = Object.values(leftOut).flatMap(Object.keys);
  const any = titles.map((title) => title.replace(/[^\w ]/g, '\\$&'));
  return ['--grep', `^(?:${any.join('|')})$`, '--invert'];
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
    const reporter = ['--reporter', './lab/outcomes.cjs'];
    const child = spawn(
      process.execPath,
      [mocha, '--jobs', '2', ...reporter, ...withoutOneProcess(), ...files],
      {
        stdio: 'inherit',
        env: {
          ...process.env,
          TEST_DATABASE_URL: primary.url('postgres'),
          TEST_REPLICA_URL: standby.url('postgres'),
          TEST_OUTCOMES: notes,
        },
      },
    );
    const [code, signal] = await once(child, 'exit');
    const outcomes = await linesOf<Outcome>(notes);
    const isGreen = outcomes.every(({ passed }) => passed);
    const ran = new Set(outcomes.map(({ file }) => file));
    return {
      server: `PostgreSQL ${row?.version}`,
      outcomes,
      ended: isGreen && code !== 0 ? `Mocha ended, ${signal ?? code}` : null,
      missing: files
        .map((file) => path.relative('test', file))
        .filter((file) => !ran.has(file) && !isLeftOut(file)),
    };
  } finally {
    await standby.remove();
    await primary.remove();
  }
}

/** A row of each folder, and of all: how many files and tests of it passed. */
function countsOf(rounds: Round[]): string[] {
  const all = rounds.flatMap(({ outcomes }) => outcomes);
  const folders = [...new Set(all.map(folderOf))].sort();
  const rowOf = (name: string, isIn: (outcome: Outcome) => boolean) => {
    const files = new Set(all.filter(isIn).map(({ file }) => file));
    const counts = rounds.map(({ outcomes }) => {
      const mine = outcomes.filter(isIn);
      const passed = mine.filter((outcome) => outcome.passed).length;
      return `${passed} passed, ${mine.length - passed} failed`;
    });
    return `| ${[name, files.size, ...counts].join(' | ')} |`;
  };
  return [
    ...folders.map((name) => rowOf(name, (it) => folderOf(it) === name)),
    rowOf('all', () => true),
  ];
}

const folderOf = ({ file }: Outcome) => file.split('/').at(1) ?? file;

function faultsOf({ server, outcomes, ended, missing }: Round): string[] {
  const failed = outcomes.filter(({ passed }) => !passed);
  return [
    ...failed.map(
      ({ file, title, error }) => `${file}, ${title}: ${error?.split('\n')[0]}`,
    ),
    ...missing.map((file) => `${file} did not run`),
    ...(ended === null ? [] : [ended]),
  ].map((what) => `- ${server}: ${what}`);
}

async function report(programs: Programs, rounds: Round[]): Promise<void> {
  const failures = rounds.flatMap(faultsOf);
  const left = Object.entries(leftOut).flatMap(([file, tests]) =>
    Object.entries(tests).map(
      ([title, why]) => `| ${file} | ${title} | ${why} |`,
    ),
  );
  const servers = rounds.map(({ server }) => server);
  await writeReport(
    'cluster-suite.md',
    `# The tests of endpoints, on a cluster

Written by \`npm run test:cluster\`: each board of these test files is two processes on one database
with a streaming replica, behind HAProxy by [deploy/cluster](../deploy/cluster). Each request goes to
the next process, and each statement that a replica may answer to the replica. \`FAST_PATHS\` is off, as
a cached answer may be 250 ms old on the other process. Other folders of \`test/server\` are about the
edge, the database, the jobs and the commands of one process.

${circumstances({ seed: chosenSeed(), programs })}

| folder | files | ${servers.join(' | ')} |
| --- | --- | ${servers.map(() => '---').join(' | ')} |
${countsOf(rounds).join('\n')}

${failures.join('\n')}

${left.length} tests of these folders are left out, as they need one process by their nature:

| file | test | why |
| --- | --- | --- |
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
