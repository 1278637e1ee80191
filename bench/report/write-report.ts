import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Section } from '../row.js';
import { chart } from './chart.js';
import { type Measured, report, withReport } from './markdown.js';
import type { Results } from './results.js';

/** Keeps a run below `folder`/results; answers the file. */
export async function keep(folder: string, results: Results): Promise<string> {
  const target = path.join(folder, 'results');
  await mkdir(target, { recursive: true });
  const name = results.date.slice(0, 19).replaceAll(':', '-');
  const file = path.join(target, `${name}.json`);
  await writeFile(file, `${JSON.stringify(results, null, 2)}\n`);
  return file;
}

/**
 * Writes the charts and the tables of README.md in `folder` from the latest
 * measurement of each row, in the order of `ids`.
 */
export async function writeReport(
  folder: string,
  ids: readonly string[],
): Promise<void> {
  const target = path.join(folder, 'results');
  const latest = new Map<string, Measured>();
  for (const name of (await readdir(target)).sort()) {
    if (!name.endsWith('.json')) continue;
    const text = await readFile(path.join(target, name), 'utf8');
    const { rows, machine } = JSON.parse(text) as Results;
    for (const row of rows) latest.set(row.id, { row, machine });
  }
  const measured = ids.flatMap((id) => latest.get(id) ?? []);
  for (const section of ['reads', 'writes', 'mesh', 'node'] as Section[]) {
    const rows = measured
      .map(({ row }) => row)
      .filter((row) => row.section === section);
    if (rows.length === 0) continue;
    await writeFile(path.join(target, `${section}.svg`), chart(section, rows));
  }
  const file = path.join(folder, 'README.md');
  const readme = await readFile(file, 'utf8');
  await writeFile(file, withReport(readme, report(measured)));
}
