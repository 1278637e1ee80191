import { expect } from 'chai';
import type { TestBoard } from '../../support/board.js';

/** One reason to refuse a publish, and what it is refused with. */
export type Fault<Scene> = {
  name: string;
  error: string;
  apply(test: TestBoard, scene: Scene): void | Promise<void>;
};

/**
 * The tests that an order of checks takes: each fault alone, every pair, and
 * all that follow one. `publishWith` answers a publish that has these faults.
 */
export function itKeepsTheOrder<Scene>(
  order: readonly Fault<Scene>[],
  publishWith: (faults: readonly Fault<Scene>[]) => Promise<string>,
): void {
  it('publishes when nothing is wrong', async () => {
    expect(await publishWith([])).to.equal('published');
  });

  for (const [at, first] of order.entries()) {
    it(`refuses ${first.name} alone as ${first.error}`, async () => {
      expect(await publishWith([first])).to.equal(first.error);
    });
    for (const second of order.slice(at + 1)) {
      it(`looks at ${first.name} before ${second.name}`, async () => {
        expect(await publishWith([first, second])).to.equal(first.error);
      });
    }
  }

  it('answers everything wrong at once by the first', async () => {
    for (let from = 0; from < order.length; from += 1) {
      const faults = order.slice(from);
      expect(await publishWith(faults)).to.equal(faults[0]?.error);
    }
  });
}
