// Runs the tests that a change touches: `npm run test:changed` for what is not
// committed, `npm run test:changed -- main` for what a branch has beside it.
// Touched are the tests of a folder in which a file changed, and those that
// import a changed file, by themselves or through helpers of tests.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const git = (...words) =>
  execFileSync('git', words, { encoding: 'utf8' }).split('\n').filter(Boolean);

const base = process.argv[2] ? git('merge-base', process.argv[2], 'HEAD') : [];
const changed = [
  ...git('diff', '--name-only', '--relative', base[0] ?? 'HEAD'),
  ...git('ls-files', '--others', '--exclude-standard'),
].filter((file) => /\.tsx?$/.test(file));
const files = [...git('ls-files'), ...changed].filter(
  (file) => /\.tsx?$/.test(file) && existsSync(file),
);

/** Who imports each file. */
const importers = new Map();
for (const file of files) {
  const text = readFileSync(file, 'utf8');
  for (const [, name] of text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
    const target = path.join(path.dirname(file), name).replace(/\.jsx?$/, '');
    for (const ending of ['.ts', '.tsx']) {
      const found = importers.get(target + ending) ?? [];
      importers.set(target + ending, [...found, file]);
    }
  }
}

const reached = new Set(changed);
for (const file of reached) {
  if (!changed.includes(file) && !/^(?:test\/(?!support)|lab\/)/.test(file))
    continue;
  for (const importer of importers.get(file) ?? []) reached.add(importer);
}
const folders = new Set(
  changed.map((file) => path.dirname(file).replace(/^(?!test\/)/, 'test/')),
);
const tests = files.filter(
  (file) =>
    file.endsWith('.test.ts') &&
    (reached.has(file) ||
      folders.has(path.dirname(file)) ||
      // What runs in a browser is imported by no test.
      (file === 'test/walk.test.ts' &&
        changed.some((one) => /^admin-ui/.test(one)))),
);
console.log(`${changed.length} files changed, ${tests.length} files of tests`);
if (tests.length > 0) {
  const mocha = path.join('node_modules', 'mocha', 'bin', 'mocha.js');
  const { status } = spawnSync(process.execPath, [mocha, ...new Set(tests)], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}
