// Runs `npm test` again and again and lists every test that ever failed:
// `npm run test:soak -- --runs 10 --busy 3 --beside 3` (three of the ten beside a
// busy loop on each core, the last three beside one `npm run test:all`). Each run
// has another seed, time zone and language. A line per run goes into
// `lab/reports/soak.jsonl` (or `--into <file>`), the table of all its lines into
// `lab/reports/soak.md`; `-- --render` only writes that.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const reports = path.join(root, 'lab', 'reports');
const PLACES = [
  { TZ: 'UTC', LANG: 'C' },
  { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8' },
  { TZ: 'America/St_Johns', LANG: 'de_DE.UTF-8' },
];
const NONE = 'none';
const BUSY = 'a busy loop on each core';
const SUITE = '`npm run test:all`';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10' },
    busy: { type: 'string', default: '3' },
    beside: { type: 'string', default: '0' },
    into: { type: 'string', default: path.join(reports, 'soak.jsonl') },
    render: { type: 'boolean', default: false },
  },
});
const runs = Number(values.runs);
const besideFrom = runs - Number(values.beside);
const busyFrom = besideFrom - Number(values.busy);
const children = new Set();

function started(command, args, options) {
  const child = spawn(command, args, { cwd: root, ...options });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

function jsonLines(file) {
  const lines = fs.readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

/** What ran where; no path and no name of the machine. */
function surroundings() {
  const isClosed = (fs.statSync(path.dirname(root)).mode & 0o077) === 0;
  const git = ['rev-parse', '--short', 'HEAD'];
  return {
    commit: execFileSync('git', git, { cwd: root, encoding: 'utf8' }).trim(),
    node: process.version,
    cores: os.availableParallelism(),
    user: process.getuid?.() === 0 ? 'root' : 'ordinary',
    folder: isClosed ? 'closed (0700)' : 'open',
  };
}

async function oneRun(load, place) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'soak-'));
  const notes = path.join(folder, 'outcomes');
  const seed = String(Math.floor(Math.random() * 1_000_000));
  const cores = load === BUSY ? os.availableParallelism() : 0;
  const loops = Array.from({ length: cores }, () =>
    started(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  const began = Date.now();
  try {
    const child = started(
      process.execPath,
      ['node_modules/mocha/bin/mocha.js', '--reporter', './lab/outcomes.cjs'],
      {
        env: { ...process.env, ...place, SEED: seed, TEST_OUTCOMES: notes },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    const [code] = await once(child, 'exit');
    const outcomes = fs.existsSync(notes) ? jsonLines(notes) : [];
    const failed = outcomes.filter(({ passed }) => !passed);
    return {
      at: new Date(began).toISOString(),
      ...surroundings(),
      ...place,
      seed: Number(seed),
      load,
      seconds: Math.round((Date.now() - began) / 1000),
      code,
      passed: outcomes.length - failed.length,
      failed: failed.map(({ file, title, error }) => ({ file, title, error })),
    };
  } finally {
    for (const loop of loops) loop.kill('SIGKILL');
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function render() {
  const all = jsonLines(values.into);
  const isGood = ({ code, failed }) => code === 0 && failed.length === 0;
  const commits = [...new Set(all.map(({ commit }) => commit))];
  const summary = commits.map((commit) => {
    const own = all.filter((run) => run.commit === commit);
    const count = (load) => own.filter((run) => run.load === load).length;
    const beside = [BUSY, SUITE].map((load) => `${count(load)} beside ${load}`);
    return `- ${commit}: ${own.filter(isGood).length} of ${own.length} runs passed, ${beside.join(', ')}.`;
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
          run.load,
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
  fs.writeFileSync(path.join(reports, 'soak.md'), `${text.join('\n')}\n`);
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
  let suite;
  for (let n = 0; n < runs && !interrupted; n += 1) {
    const isBeside = n >= besideFrom;
    if (isBeside && suite?.exitCode !== null) {
      suite = started('npm', ['run', 'test:all'], { stdio: 'inherit' });
      suite.once('exit', (code) => {
        if (code !== 0) process.exitCode = 1;
      });
    }
    const load = isBeside ? SUITE : n >= busyFrom ? BUSY : NONE;
    const run = await oneRun(load, PLACES[n % PLACES.length]);
    if (interrupted) break;
    fs.appendFileSync(values.into, `${JSON.stringify(run)}\n`);
    console.log(
      `run ${n + 1} of ${runs}: ${run.seconds} s, ${run.passed} passed, ${run.failed.length} failed, SEED=${run.seed}`,
    );
    for (const { file, title, error } of run.failed) {
      console.log(`  ${file}: ${title}: ${error}`);
    }
    if (run.code !== 0) process.exitCode = 1;
  }
  if (suite?.exitCode === null) await once(suite, 'exit');
}
render();
