import { expect } from 'chai';
import { byTurns } from '../../../server/http/yielding-loop.js';

/** Keeps the process busy for so many milliseconds. */
function busy(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('long work by turns', () => {
  it('is done in order, and lets other work come in between', async () => {
    const items = Array.from({ length: 12 }, (_, n) => n);
    const done: (number | string)[] = [];
    await new Promise<void>((resolve) => {
      byTurns(items, (item) => {
        if (item === 0) setImmediate(() => done.push('other'));
        busy(3);
        done.push(item);
        if (item === 11) resolve();
      });
    });
    expect(done.filter((one) => one !== 'other')).to.deep.equal(items);
    expect(done.indexOf('other')).to.be.within(1, 3);
  });
});
