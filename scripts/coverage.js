// Branch coverage where a wrong branch costs most: `npm run coverage`. Runs the
// tests of these areas, prints each area's share of branches and every branch
// that no test takes, and fails where an area is below the least share.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import c8 from 'c8';

const LEAST_PERCENT = 95;
const AREAS = [
  'protocol/**/*.ts',
  'server/ledger/**/*.ts',
  'mesh/pull/verify/**/*.ts',
  'server/http/endpoint*.ts',
];
/** Tests pack it into one file, as a thread loads no TypeScript. */
const PACKED = 'mesh/pull/verify/signature-worker.ts';
const TESTS = [
  'test/protocol/*.test.ts',
  'test/server/ledger/*.test.ts',
  'test/server/agents/key-life.test.ts',
  ...['edge-signatures', 'entries', 'judge-page', 'signatures-ahead'].map(
    (name) => `test/mesh/pull/${name}.test.ts`,
  ),
  'test/server/http/endpoint.test.ts',
  'test/server/http/openapi/walk.test.ts',
];

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const seen = mkdtempSync(path.join(tmpdir(), 'reserve-coverage-'));
try {
  runTests();
  const areas = [];
  for (const area of AREAS) areas.push(await branchesOf(area));
  for (const { area, covered, total, percent } of areas) {
    const mark = percent < LEAST_PERCENT ? `below ${LEAST_PERCENT} %` : '';
    const share = `${percent.toFixed(1)} %`.padStart(8);
    console.log(`${area.padEnd(26)} ${covered} of ${total} ${share} ${mark}`);
    if (percent < LEAST_PERCENT) process.exitCode = 1;
  }
  console.log('Branches that no test takes:');
  for (const line of areas.flatMap(({ missed }) => missed)) {
    console.log(`  ${line}`);
  }
} finally {
  rmSync(seen, { recursive: true });
}

function runTests() {
  const { status } = spawnSync(
    process.execPath,
    [
      'node_modules/mocha/bin/mocha.js',
      // One process: mocha ends workers before they have written what they saw.
      '--no-parallel',
      // With require(esm) each module is there twice, under one source map.
      ...['--node-option', 'no-experimental-require-module'],
      ...TESTS,
    ],
    {
      cwd: root,
      env: { ...process.env, NODE_V8_COVERAGE: seen },
      stdio: 'inherit',
    },
  );
  if (status !== 0) throw new Error('the tests failed');
}

/** What the tests took of an area, and where they did not. */
async function branchesOf(area) {
  const report = c8.Report({
    include: [area],
    exclude: [PACKED],
    extension: ['.ts'],
    tempDirectory: seen,
    src: [root],
    resolve: root,
    omitRelative: true,
    all: true,
  });
  const map = await report.getCoverageMapFromAllCoverageFiles();
  const missed = [];
  for (const file of map.files().sort()) {
    const name = path.relative(root, file);
    const { data, branchMap, b } = map.fileCoverageFor(file);
    if (data.all) throw new Error(`no test loads ${name}`);
    for (const [id, { loc }] of Object.entries(branchMap)) {
      if (b[id].some((count) => count > 0)) continue;
      missed.push(`${name}:${loc.start.line}:${loc.start.column + 1}`);
    }
  }
  const { covered, total } = map.getCoverageSummary().branches;
  return { area, covered, total, percent: (100 * covered) / total, missed };
}
