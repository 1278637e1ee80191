import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { shrinkWhenQuiet } from '../../../server/cli/shrink-when-quiet.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const LOOK_MS = 50;
const SAVE = '--optimize-for-size';
const WORK = '--no-optimize-for-size';
/** By itself V8 takes 100 s. */
const SOON_S = 90;

/** Has 150 MB, is told to let go of them, and says when they are given back. */
const TURNS_QUIET = `
  import { shrinkWhenQuiet } from './server/cli/shrink-when-quiet.ts';
  const heapMb = () => process.memoryUsage().heapTotal / 1e6;
  let kept = [];
  while (heapMb() < 150) kept.push(new Array(1000).fill(1.5));
  let quietAt = 0;
  shrinkWhenQuiet(() => {
    quietAt = performance.now();
    kept = [];
  });
  setInterval(() => {
    if (heapMb() > 75) return;
    console.log(kept.length, (performance.now() - quietAt) / 1000);
    process.exit();
  }, 100);
`;

describe('the memory of a quiet node', () => {
  it('is given back long before V8 would', async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', TURNS_QUIET],
      { cwd: ROOT },
    );
    const [kept, seconds] = stdout.split(' ').map(Number);
    expect(kept).to.equal(0);
    expect(seconds).to.be.below(SOON_S);
  });

  it('is saved in the first interval without work only', async () => {
    const flags: string[] = [];
    let told = 0;
    let wake = () => {};
    const end = shrinkWhenQuiet(() => (told += 1), {
      lookMs: LOOK_MS,
      setFlags: (flag) => {
        flags.push(flag);
        wake();
      },
    });
    const until = async (isSo: () => boolean) => {
      while (!isSo()) await new Promise<void>((resolve) => (wake = resolve));
    };
    const workFor = (ms: number) => {
      for (const at = performance.now(); performance.now() < at + ms; );
    };
    try {
      workFor(LOOK_MS);
      await until(() => told === 1);
      const from = flags.lastIndexOf(SAVE);
      await until(() => flags.length > from + 1);
      expect(flags.slice(from)).to.deep.equal([SAVE, WORK]);
      workFor(2 * LOOK_MS);
      await until(() => told === 2);
    } finally {
      end();
    }
  });
});
