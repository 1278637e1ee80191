import { readFile, writeFile } from 'node:fs/promises';
import type { Row, Section } from '../row.js';
import { latestRun, type Results, type RowResult } from './results.js';
import { HEAD, lines } from './table.js';

const BEGIN = '<!-- written by npm run bench -- --render -->';
const END = '<!-- end of what it writes -->';

const SECTIONS = {
  reads: 'Reads',
  writes: 'Writes',
  mesh: 'Mesh',
  node: 'Node',
} as const;
const NAMES = Object.keys(SECTIONS) as Section[];

/** Of the latest full run; a page of several commits describes none. */
export async function writeReport(
  folder: string,
  page: string,
  rows: readonly Row[],
): Promise<void> {
  const run = await latestRun(folder, ({ full, short }) => full && !short);
  const text = await readFile(page, 'utf8');
  await writeFile(page, withReport(text, report(rows, run)));
}

/** Of docs/performance.md: the marks of all rows, and what a run gave. */
function report(rows: readonly Row[], run: Results | null): string {
  return [
    '## The marks',
    marks(rows),
    '## Results',
    run === null ? 'Not measured.' : described(run),
    ...NAMES.flatMap((section) =>
      run === null ? [] : results(rows, run, section),
    ),
  ].join('\n\n');
}

function withReport(page: string, text: string): string {
  const from = page.indexOf(BEGIN);
  const until = page.indexOf(END);
  if (from === -1 || until < from) {
    throw new Error(`the page has no lines ${BEGIN} and ${END}`);
  }
  return `${page.slice(0, from)}${BEGIN}\n\n${text}\n\n${page.slice(until)}`;
}

function marks(rows: readonly Row[]): string {
  return table([
    ['row', 'work', 'reference', 'mark'],
    ...rows.map((row) => [row.id, row.work, row.reference, row.marks]),
  ]);
}

function described(run: Results): string {
  const { cpu, cores, memoryGb, system, node, postgres } = run.machine;
  const source = `commit ${run.commit}${run.dirty ? ' with local changes' : ''}`;
  return [
    `One run of ${source}, begun ${run.date.slice(0, 10)}, large data set of ${run.size} messages, on ${cpu}, ${cores} cores, ${memoryGb} GB, ${system}, Node ${node}, PostgreSQL ${postgres}.`,
    'The column *off* has the same with `FAST_PATHS=off`, its ratio in brackets.',
  ].join('\n');
}

function results(
  rows: readonly Row[],
  run: Results,
  section: Section,
): string[] {
  const found = rows
    .filter((row) => row.section === section)
    .map((row) => run.rows.find(({ id }) => id === row.id) ?? missing(row));
  if (found.length === 0) return [];
  return [
    `### ${SECTIONS[section]}`,
    table([HEAD, ...lines(found)]),
    ...found.filter(({ at }) => at !== '').map(notes),
  ];
}

function missing({ id, section, work }: Row): RowResult {
  const skipped = 'it is no part of this run';
  const nothing = { at: '', seconds: 0, load: 0, figures: [], notes: [] };
  return { id, section, work, ...nothing, skipped };
}

function table([head = [], ...rest]: readonly string[][]): string {
  const cells = [head, head.map(() => '---'), ...rest.map(escaped)];
  return cells.map((line) => `| ${line.join(' | ')} |`).join('\n');
}

function escaped(line: readonly string[]): string[] {
  return line.map((cell) => cell.replaceAll('|', '\\|').replaceAll('{', '\\{'));
}

function notes({ id, at, seconds, load, notes: texts }: RowResult): string {
  const how = `${at.slice(0, 10)}, ${seconds} s, load of the machine ${load}`;
  return `${id} (${how})${texts.length === 0 ? '' : `: ${texts.join('; ')}`}.`;
}
