import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Row, Section } from '../row.js';
import { chart } from './chart.js';
import { latestRun } from './kept-runs.js';
import { report, withReport } from './markdown.js';

const SECTIONS: readonly Section[] = ['reads', 'writes', 'mesh', 'node'];

/**
 * Writes the marks and the latest full run of `folder` into `page`, and a chart
 * for each section into `folder`/results. Rows of other runs are left out: a
 * page of several commits would describe none of them.
 */
export async function writeReport(
  folder: string,
  page: string,
  rows: readonly Row[],
): Promise<void> {
  const run = await latestRun(folder, ({ full, short }) => full && !short);
  const charts = path.join(folder, 'results');
  for (const section of SECTIONS) {
    const file = path.join(charts, `${section}.svg`);
    const found = rows.flatMap(({ id, section: of }) =>
      of === section ? (run?.rows.filter((row) => row.id === id) ?? []) : [],
    );
    const isMeasured = found.some(({ figures }) => figures.length > 0);
    if (isMeasured) await writeFile(file, chart(section, found));
    else await rm(file, { force: true });
  }
  const from = path.relative(path.dirname(page), charts);
  const text = await readFile(page, 'utf8');
  await writeFile(page, withReport(text, report(rows, run, from)));
}
