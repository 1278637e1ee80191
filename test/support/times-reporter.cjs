const { readFileSync } = require('node:fs');
const path = require('node:path');
const Closing = require('./reporter.cjs');

const COLUMNS = [
  'total',
  'load',
  'cpu',
  'hooks',
  'tests',
  'copies',
  'boards',
  'waits',
];

/** `npm run test:times`: the usual report, then where the time went. */
class Times extends Closing {
  constructor(runner, options) {
    super(runner, options);
    this.sums = new Map();
    runner.on('test end', (test) => this.add(test, 'tests'));
    runner.on('hook end', (hook) => this.add(hook, 'hooks'));
  }

  add({ file, duration = 0 }, part) {
    if (file === undefined) return;
    const name = path.relative(process.cwd(), file);
    const sum = this.sums.get(name) ?? { tests: 0, hooks: 0 };
    sum[part] += duration;
    this.sums.set(name, sum);
  }

  epilogue() {
    const folder = process.env.TEST_RUN_FOLDER;
    const lines = readFileSync(path.join(folder, 'times.jsonl'), 'utf8');
    const files = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map((row) => ({
        hooks: 0,
        tests: 0,
        ...this.sums.get(row.file),
        ...row,
      }));
    print('file', files, (row) => row.file);
    print('area', files, (row) => row.file.split('/').slice(0, 3).join('/'));
    print('all', files, () => 'all');
    super.epilogue();
  }
}

/** Sums per group, in seconds, the largest first. */
function print(title, files, groupOf) {
  const groups = new Map();
  for (const file of files) {
    const name = groupOf(file).replace(/\/[^/]*\.test\.ts$/, (end) =>
      title === 'file' ? end : '',
    );
    const sum = groups.get(name) ?? { files: 0, boardCount: 0 };
    sum.files += 1;
    sum.boardCount += file.boardCount;
    for (const key of COLUMNS) sum[key] = (sum[key] ?? 0) + file[key] / 1000;
    groups.set(name, sum);
  }
  const rows = [...groups].sort((a, b) => b[1].total - a[1].total);
  console.log(
    `\n${['seconds', ...COLUMNS, 'boards started', title].join('\t')}`,
  );
  for (const [name, sum] of rows) {
    const figures = COLUMNS.map((key) => sum[key].toFixed(1));
    console.log(['', ...figures, sum.boardCount, name].join('\t'));
  }
}

module.exports = Times;
