import { readFile } from 'node:fs/promises';

/** How a test ended, as `outcomes.cjs` writes it. */
export type Outcome = {
  /** Below `test/`. */
  file: string;
  title: string;
  passed: boolean;
  error?: string;
  /** It failed by an assertion, and not by an error of any other kind. */
  asserted?: boolean;
};

/** A file of a line of JSON each; none where there is no file. */
export async function linesOf<Line>(file = ''): Promise<Line[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}
