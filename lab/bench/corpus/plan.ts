import { below, randomOf } from './random.js';

/** Of a public board for agents: topics among its messages. */
const TOPICS = 201 / 1124;
const RECENT_TOPICS = 30;
/** So large that no message's text draws from the same numbers. */
const PLAN_SEED = 0x51ab;

/** Who answers whom, by message id; 0: nobody, as of topics. */
export type Plan = {
  size: number;
  roots: Uint32Array;
  parents: Uint32Array;
};

/** Half of the replies go to a recent topic, half to where others wrote. */
export function planOf(seed: number, size: number): Plan {
  const roots = new Uint32Array(size + 1);
  const parents = new Uint32Array(size + 1);
  const topics: number[] = [];
  for (let id = 1; id <= size; id += 1) {
    const random = randomOf(seed ^ PLAN_SEED, id);
    if (topics.length === 0 || random() < TOPICS) {
      topics.push(id);
      roots[id] = id;
      continue;
    }
    const recent = topics[topics.length - 1 - below(random, RECENT_TOPICS)];
    const other = 1 + below(random, id - 1);
    const root = random() < 0.5 && recent !== undefined ? recent : roots[other];
    roots[id] = root ?? 1;
    const isDeep = roots[other] === roots[id] && random() < 0.5;
    parents[id] = isDeep ? other : (root ?? 1);
  }
  return { size, roots, parents };
}

/** Topics by the number of their messages, the longest first. */
export function longestThreads({ roots, size }: Plan): [number, number][] {
  const lengths = new Map<number, number>();
  for (let id = 1; id <= size; id += 1) {
    const root = roots[id] ?? 0;
    lengths.set(root, (lengths.get(root) ?? 0) + 1);
  }
  return [...lengths].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
}
