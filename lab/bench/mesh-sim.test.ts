import { chosenSeed, randomOf } from '../../test/support/random.js';
import type { simulate as Simulate } from './mesh-sim.js';

describe('a simulated mesh', () => {
  let simulate: typeof Simulate;

  // Not by a static import: from Node 22 on mocha loads tests by `require`, and
  // what the simulation needs waits at its top.
  before(async () => {
    ({ simulate } = await import('./mesh-sim.js'));
  });

  for (const [what, mesh, found, least] of [
    ['along its depth', { nodes: 20, before: 10, during: 20 }, [2, 20], 1],
    ['page by page', { nodes: 2, before: 1, during: 300 }, [1, 4], 2],
  ] as const) {
    it(`heals ${what}, moving each byte once to each node`, async () => {
      const random = randomOf(chosenSeed());
      const result = await simulate({ ...mesh, random });
      const { depth, rounds, pages, nodes } = result;
      expect([depth, pages]).to.deep.equal(found);
      // A link takes as many rounds as pages.
      expect(rounds).to.be.within(least, (depth * pages) / nodes);
      expect(result.ratio).to.be.within(1, 1.2);
    });
  }
});
