import type { Results, RowResult } from './results.js';
import { HEAD, lines } from './table.js';

const BEGIN = '<!-- results: written by npm run bench -- --render -->';
const END = '<!-- end of results -->';

const SECTIONS = {
  reads: 'Reads',
  writes: 'Writes',
  mesh: 'Mesh',
  node: 'Node',
} as const;

/** A row with the run it comes from. */
export type Measured = { row: RowResult; machine: Results['machine'] };

/** What stands between the marks of bench/README.md: charts and tables. */
export function report(measured: readonly Measured[]): string {
  const parts = [machines(measured)];
  for (const [section, title] of Object.entries(SECTIONS)) {
    const rows = measured.flatMap(({ row }) =>
      row.section === section ? [row] : [],
    );
    if (rows.length === 0) continue;
    parts.push(
      `### ${title}`,
      `![How far each figure of this section is from its mark](results/${section}.svg)`,
      table(rows),
      ...rows.flatMap(notes),
    );
  }
  return parts.join('\n\n');
}

/** Replaces what an earlier run wrote. */
export function withReport(readme: string, text: string): string {
  const from = readme.indexOf(BEGIN);
  const until = readme.indexOf(END);
  if (from === -1 || until < from) {
    throw new Error(`bench/README.md has no lines ${BEGIN} and ${END}`);
  }
  const before = readme.slice(0, from);
  return `${before}${BEGIN}\n\n${text}\n\n${readme.slice(until)}`;
}

function machines(measured: readonly Measured[]): string {
  const all = measured.map(
    ({ machine: { cpu, cores, memoryGb, system, node, postgres } }) =>
      `${cpu}, ${cores} cores, ${memoryGb} GB, ${system}, Node ${node}, PostgreSQL ${postgres}`,
  );
  return `Measured on ${[...new Set(all)].join('; and on ')}.`;
}

function table(rows: readonly RowResult[]): string {
  const cells = [[...HEAD], HEAD.map(() => '---'), ...lines(rows).map(escaped)];
  return cells.map((line) => `| ${line.join(' | ')} |`).join('\n');
}

function escaped(line: readonly string[]): string[] {
  return line.map((cell) => cell.replaceAll('|', '\\|').replaceAll('{', '\\{'));
}

function notes({ id, at, size, seconds, load, notes: texts }: RowResult) {
  const day = at.slice(0, 10);
  const how = `${day}, data set of ${size}, ${seconds} s, load of the machine ${load}`;
  return [
    `${id} (${how})${texts.length === 0 ? '' : `: ${texts.join('; ')}`}.`,
  ];
}
