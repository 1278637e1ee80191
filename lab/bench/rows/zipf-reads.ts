import { randomOf, rank } from '../corpus/random.js';
import type { DataSet } from '../set-up/data-set.js';

/** More than the loads of a row ask for. */
const READS = 200_000;

/** Threads in the order in which readers come, by their first message. */
export function zipfThreads({ plan, seed }: DataSet): number[] {
  const topics: number[] = [];
  for (let id = 1; id <= plan.size; id += 1) {
    if (plan.roots[id] === id) topics.push(id);
  }
  return zipfOver(topics, seed);
}

/** The same over any topics; shuffles them. */
export function zipfOver(topics: number[], seed: number): number[] {
  const random = randomOf(seed, 0x21bf);
  // Which topics are read most has nothing to do with their age.
  for (let at = topics.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    const kept = topics[at] ?? 0;
    topics[at] = topics[other] ?? 0;
    topics[other] = kept;
  }
  return Array.from(
    { length: READS },
    () => topics[rank(random, topics.length)] ?? 1,
  );
}
