import { expect } from 'chai';
import { shrinkWhenQuiet } from '../../../server/cli/shrink-when-quiet.js';

const LOOK_MS = 50;
const SAVE = '--optimize-for-size';
const WORK = '--no-optimize-for-size';

describe('the memory of a quiet node', () => {
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
