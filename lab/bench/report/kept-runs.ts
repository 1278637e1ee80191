import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
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

/** The latest kept run of which this is true; null where there is none. */
export async function latestRun(
  folder: string,
  matches: (run: Results) => boolean,
): Promise<Results | null> {
  const target = path.join(folder, 'results');
  const names = await readdir(target).catch(() => []);
  for (const name of names.sort().reverse()) {
    if (!name.endsWith('.json')) continue;
    const text = await readFile(path.join(target, name), 'utf8');
    const run = JSON.parse(text) as Results;
    if (matches(run)) return run;
  }
  return null;
}
