import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { givenNode } from './faults/given-node.js';
import { Writers } from './faults/writers.js';
import { chosenSeed, randomOf } from './support/random.js';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

describe('a node and its database, killed under writes', () => {
  const node = givenNode({
    node: ['--import', import.meta.resolve('@oxc-node/core/register')],
    main: path.join(ROOT, 'server', 'main.ts'),
    env: { TS_NODE_PROJECT: path.join(ROOT, 'tsconfig.json') },
  });

  it('lose and double nothing that was acknowledged', async () => {
    const writers = new Writers({
      ...{ on: node, count: 4, random: randomOf(chosenSeed()) },
      mayHangUp: true,
    });
    writers.start();
    await writers.progress(10);
    await node.restart();
    await writers.progress(10);
    await node.endDatabase('SIGKILL');
    await node.ready();
    expect(node.alive).to.equal(true);
    await writers.progress(10);
    await writers.stop();
    const { acked, violations } = await writers.check();
    expect(violations).to.deep.equal([]);
    expect(acked).to.be.at.least(30);
  });
});
