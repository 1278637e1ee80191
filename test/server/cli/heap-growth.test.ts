import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Keeps 80 MB and puts ten times as much in its place; the most in use, MB. */
const REPLACES = `
  import { boundHeapGrowth } from './server/cli/heap-growth.ts';
  boundHeapGrowth();
  const made = () => new Array(1000).fill(1.5);
  const kept = Array.from({ length: 10_000 }, made);
  let most = 0;
  for (let n = 0; n < 100_000; n += 1) {
    kept[n % kept.length] = made();
    if (n % 100 === 0) most = Math.max(most, process.memoryUsage().heapUsed);
  }
  console.log(most / 1024 / 1024);
`;

describe('the heap of a node', () => {
  it('is collected long before V8 would, where there is much memory', async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        ...['--import', 'tsx', '--max-old-space-size=4096'],
        ...['--input-type=module', '-e', REPLACES],
      ],
      { cwd: ROOT },
    );
    expect(Number(stdout)).to.be.below(240);
  });
});
