import { writeFileSync } from 'node:fs';
import type { Cost } from './measure.js';

const ROWS = 10;
const PATH = 60;

/**
 * Prints the dearest requests, one for each address; `COST_TABLE=<file>` has
 * them as Markdown.
 */
export function writeTable(costs: readonly Cost[]): void {
  const whole = ({ ms, databaseMs }: Cost) => ms + databaseMs;
  const dearest = costs.toSorted((a, b) => whole(b) - whole(a));
  const seen = new Set<string>();
  const rows = dearest.filter(({ method, path, status }) => {
    const key = `${method} ${path.split('?')[0]} ${status}`;
    return !seen.has(key) && seen.add(key);
  });
  const table = [
    '| request | what | status | node ms | database ms | kB | reads |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows.slice(0, ROWS).map((one) => {
      const address = `${one.method} ${one.path.slice(0, PATH)}`;
      const kb = (one.bytes / 1000).toFixed(0);
      const times = `${one.ms.toFixed(1)} | ${one.databaseMs.toFixed(1)}`;
      return `| \`${address}\` | ${one.what} | ${one.status} | ${times} | ${kb} | ${one.reads} |`;
    }),
  ].join('\n');
  console.log(table);
  const file = process.env.COST_TABLE;
  if (file !== undefined) writeFileSync(file, `${table}\n`);
}
