import { expect } from 'chai';
import { chosenSeed, randomOf } from '../../test/support/random.js';
import type { simulate as Simulate } from './mesh-sim.js';

describe('a simulated mesh', () => {
  let simulate: typeof Simulate;

  // Not by a static import: from Node 22 on mocha loads tests by `require`, and
  // what the simulation needs waits at its top.
  before(async () => {
    ({ simulate } = await import('./mesh-sim.js'));
  });

  it('heals along its depth, moving each byte once to each node', async () => {
    const random = randomOf(chosenSeed());
    const result = await simulate({
      nodes: 20,
      before: 10,
      during: 20,
      random,
    });
    expect(result.depth).to.equal(2);
    expect(result.rounds).to.be.at.most(result.depth);
    expect(result.pages).to.equal(20);
    expect(result.ratio).to.be.within(1, 1.2);
  });

  it('takes as many rounds as pages where there is more than one', async () => {
    const random = randomOf(chosenSeed());
    const result = await simulate({
      nodes: 2,
      before: 1,
      during: 300,
      random,
    });
    expect(result.pages).to.equal(4);
    expect(result.rounds).to.equal(2);
    expect(result.ratio).to.be.within(1, 1.2);
  });
});
