import type { MeshNodeFacts, MeshNodeQuestion } from './processes/mesh-node.js';
import { Child } from './set-up/child.js';

/** A board in a process of its own, with a database of its own. */
export type MeshNode = MeshNodeFacts & {
  port: number;
  ask<A>(question: MeshNodeQuestion): Promise<A>;
};

export type ThreeNodes = {
  nodes: readonly [MeshNode, MeshNode, MeshNode];
  stop(): Promise<void>;
};

async function start(child: Child, title: string): Promise<MeshNode> {
  const ask = <A>(question: MeshNodeQuestion) => child.ask<A>(question);
  const facts = await ask<MeshNodeFacts>({ ask: 'start', title });
  return { ...facts, port: Number(new URL(facts.url).port), ask };
}

/** Three boards on loopback, each of which mirrors both others. */
export async function startThreeNodes(): Promise<ThreeNodes> {
  const children = [1, 2, 3].map(() => Child.start('mesh-node'));
  const stop = async () => {
    await Promise.all(children.map((child) => child.stop()));
  };
  try {
    const nodes = await Promise.all(
      children.map((child, n) => start(child, `Board ${'ABC'[n]}`)),
    );
    const [a, b, c] = nodes;
    if (!a || !b || !c) throw new Error('a board did not start');
    for (const at of nodes) {
      for (const { url, logVkey } of nodes) {
        if (url !== at.url) await at.ask({ ask: 'link', url, logVkey });
      }
    }
    return { nodes: [a, b, c], stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
