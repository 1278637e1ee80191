// Runs the whole suite again and again and lists every test that ever failed:
// `npm run test:soak -- --runs 10 --busy 3` (three of the ten beside a busy
// loop on every core). Each run has another seed, time zone and language. A
// line per run goes into `lab/reports/soak.jsonl` (or `--into <file>`), the table
// of all its lines into `lab/reports/soak.md`; `-- --render` only writes that.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const report = path.join(root, 'lab', 'reports', 'soak.md');
const PLACES = [
  { TZ: 'UTC', LANG: 'C' },
  { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8' },
  { TZ: 'America/St_Johns', LANG: 'de_DE.UTF-8' },
];
const BUSY = 'for (;;);';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10' },
    busy: { type: 'string', default: '3' },
    into: {
      type: 'string',
      default: path.join(root, 'lab', 'reports', 'soak.jsonl'),
    },
    render: { type: 'boolean', default: false },
  },
});
const runs = Number(values.runs);
const busyRuns = Number(values.busy);
const children = new Set();

function started(args, options) {
  const child = spawn(process.execPath, args, { cwd: root, ...options });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

/** What ran where; no path and no name of the machine. */
function surroundings() {
  const isClosed = (statSync(path.dirname(root)).mode & 0o077) === 0;
  const git = ['rev-parse', '--short', 'HEAD'];
  return {
    commit: execFileSync('git', git, { cwd: root, encoding: 'utf8' }).trim(),
    node: process.version,
    cores: os.availableParallelism(),
    user: process.getuid?.() === 0 ? 'root' : 'ordinary',
    folder: isClosed ? 'closed (0700)' : 'open',
  };
}

async function oneRun(busy, place) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'soak-'));
  const notes = path.join(folder, 'outcomes');
  const seed = String(Math.floor(Math.random() * 1_000_000));
  const loops = busy
    ? Array.from({ length: os.availableParallelism() }, () =>
        started(['-e', BUSY], { stdio: 'ignore' }),
      )
    : [];
  const began = Date.now();
  try {
    const child = started(
      [
        path.join(root, 'node_modules', 'mocha', 'bin', 'mocha.js'),
        ...['--reporter', './lab/outcomes.cjs'],
      ],
      {
        env: { ...process.env, ...place, SEED: seed, TEST_OUTCOMES: notes },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    const [code] = await once(child, 'exit');
    const outcomes = existsSync(notes)
      ? readFileSync(notes, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [];
    const failed = outcomes.filter(({ passed }) => !passed);
    return {
      at: new Date(began).toISOString(),
      ...surroundings(),
      ...place,
      seed: Number(seed),
      busy,
      seconds: Math.round((Date.now() - began) / 1000),
      code,
      passed: outcomes.length - failed.length,
      failed: failed.map(({ file, title, error }) => ({ file, title, error })),
    };
  } finally {
    for (const loop of loops) loop.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

function render() {
  const lines = readFileSync(values.into, 'utf8').trim().split('\n');
  const all = lines.map((line) => JSON.parse(line));
  const isGood = ({ code, failed }) => code === 0 && failed.length === 0;
  const commits = [...new Set(all.map(({ commit }) => commit))];
  const summary = commits.map((commit) => {
    const own = all.filter((run) => run.commit === commit);
    const busy = own.filter((run) => run.busy).length;
    return `- ${commit}: ${own.filter(isGood).length} of ${own.length} runs passed; ${busy} of them ran beside a busy loop on every core.`;
  });
  const cell = (text) => String(text).replaceAll(/[|\n]/g, ' ');
  const text = [
    '# The suite, again and again',
    '',
    'Made by `npm run test:soak`. By commit:',
    '',
    ...summary,
    '',
    '| commit | at | user | folder | Node | time zone | language | seed | load | minutes | passed | failed |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...all.map(
      (run) =>
        `| ${[
          run.commit,
          run.at.slice(0, 16),
          run.user,
          run.folder,
          run.node,
          run.TZ,
          run.LANG,
          run.seed,
          run.busy ? 'a busy loop on each core' : 'none',
          (run.seconds / 60).toFixed(1),
          run.passed,
          run.failed.length,
        ].join(' | ')} |`,
    ),
    '',
    '## Tests that ever failed',
    '',
    ...all.flatMap((run) =>
      run.failed.map(
        ({ file, title, error }) =>
          `- \`${file}\`, ${cell(title)} (seed ${run.seed}): ${cell(error)}`,
      ),
    ),
  ];
  if (all.every(isGood)) text.push('None.');
  writeFileSync(report, `${text.join('\n')}\n`);
}

let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    interrupted = true;
    process.exitCode = 1;
    for (const child of children) child.kill(signal);
  });
}

if (!values.render) {
  for (let n = 0; n < runs && !interrupted; n += 1) {
    const busy = n >= runs - busyRuns;
    const run = await oneRun(busy, PLACES[n % PLACES.length]);
    if (interrupted) break;
    appendFileSync(values.into, `${JSON.stringify(run)}\n`);
    console.log(
      `run ${n + 1} of ${runs}: ${run.seconds} s, ${run.passed} passed, ${run.failed.length} failed, SEED=${run.seed}`,
    );
    for (const { file, title, error } of run.failed) {
      console.log(`  ${file}: ${title}: ${error}`);
    }
    if (run.code !== 0) process.exitCode = 1;
  }
}
render();
