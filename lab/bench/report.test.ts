import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sourceOf } from '../source.js';
import { writeReport } from './report/markdown.js';
import {
  keep,
  latestRun,
  machine,
  type Results,
  type RowResult,
} from './report/results.js';
import { atLeast } from './row.js';
import { ROWS } from './rows/rows.js';

const PAGE = new URL('../../docs/performance.md', import.meta.url);

const measured = (id: string, value: number): RowResult => ({
  id,
  section: ROWS.find((row) => row.id === id)?.section ?? 'reads',
  work: `what ${id} is`,
  at: '2026-01-02T00:00:00.000Z',
  seconds: 1,
  load: 0.5,
  figures: [
    {
      what: 'rate',
      value,
      unit: 'requests/s',
      reference: { what: 'bare', value: 2 * value, unit: 'requests/s' },
      ratio: 0.5,
      off: { value: value / 4, ratio: 0.125 },
      mark: atLeast(0.5, 0.4),
    },
  ],
  notes: [],
});

const resultsOf = (more: Partial<Results>): Results => ({
  date: '2026-01-01T00:00:00.000Z',
  commit: 'abc1234',
  dirty: false,
  short: false,
  full: true,
  size: 1000,
  machine: machine('18.0'),
  rows: [],
  ...more,
});

describe("the bench's report", () => {
  let root: string;
  let folder: string;
  let page: string;

  before(async () => {
    root = await mkdtemp(path.join(os.tmpdir(), 'reserve-report-'));
    folder = path.join(root, 'bench');
    page = path.join(root, 'docs', 'performance.md');
    await mkdir(path.join(root, 'docs'));
    await mkdir(folder);
    await writeFile(page, await readFile(PAGE));
  });

  after(async () => {
    await rm(root, { recursive: true, force: true });
  });

  async function written(): Promise<string> {
    await writeReport(folder, page, ROWS);
    return await readFile(page, 'utf8');
  }

  it('has the mark of every row before anything is measured', async () => {
    const text = await written();
    for (const { id, reference, marks } of ROWS) {
      expect(text).to.include(`| ${reference} | ${marks} |`);
      expect(text).to.match(new RegExp(`^\\| ${id} \\| `, 'm'));
    }
    expect(text).to.include('\nNot measured.\n');
  });

  it('has one full run with its commit, and what that lacks as not measured', async () => {
    const rows = [measured('R1', 77_001), measured('W1', 88_002)];
    const file = await keep(folder, resultsOf({ rows }));
    expect(path.dirname(file)).to.equal(path.join(folder, 'results'));
    // Later ones, of one row or a trial: no part of the page.
    for (const [day, other] of [
      ['02', { full: false }],
      ['03', { short: true }],
    ] as const) {
      const date = `2026-01-${day}T00:00:00.000Z`;
      const rows = [measured('R2', 99_003)];
      await keep(folder, resultsOf({ ...other, date, commit: 'fff', rows }));
    }
    const text = await written();
    expect(text).to.include('One run of commit abc1234, begun 2026-01-01,');
    expect(text).to.include(
      '| R1 | what R1 is | rate: 77,001 requests/s | bare: 154,002 requests/s | 0.5 | 19,250.25 requests/s (0.125) | ≥ 0.4 | yes |',
    );
    expect(text).to.match(/\| R2 \| the same reads .* \| not measured: /);
    expect(text).to.not.match(/99,003|fff/);
    expect(await written()).to.equal(text);
  });

  it('says when the tree had changes', async () => {
    const date = '2026-01-04T00:00:00.000Z';
    const rows = [measured('W1', 1)];
    await keep(folder, resultsOf({ date, dirty: true, rows }));
    expect(await written()).to.include('commit abc1234 with local changes,');
  });

  it('finds the latest run that fits, to be continued', async () => {
    const of = (commit: string) =>
      latestRun(folder, (run) => run.commit === commit && !run.short);
    expect((await of('abc1234'))?.date).to.equal('2026-01-04T00:00:00.000Z');
    expect((await of('fff'))?.date).to.equal('2026-01-02T00:00:00.000Z');
    expect(await of('0000000')).to.equal(null);
    expect(await latestRun(root, () => true)).to.equal(null);
  });

  it('knows the commit of a checkout, and that other folders have none', async () => {
    const { commit } = await sourceOf(path.dirname(PAGE.pathname));
    expect(commit).to.match(/^(?:[0-9a-f]{7,}|unknown)$/);
    expect(await sourceOf(folder)).to.eql({ commit: 'unknown', dirty: true });
  });
});
