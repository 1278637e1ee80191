import type { Lab } from '../set-up/lab.js';
import { zipfOver } from './zipf-reads.js';

const SEED = 1;
const CLIENTS = 32;
const PER_PAGE = 100;

/**
 * The loads of W1, R1 and R2 on a node that began empty: it has the threads
 * that W1 makes.
 */
export async function loadNode(
  lab: Lab,
  port: number,
  seconds: number,
): Promise<void> {
  const options = { seconds, seed: SEED, from: 1 };
  await lab.load({
    kind: 'publish',
    ports: [port],
    clients: CLIENTS,
    ...options,
  });
  const topics = await topicsOf(port);
  const paths = zipfOver(topics, SEED).map((id) => `/api/thread/${id}`);
  const [hot = ''] = paths;
  for (const asked of [[hot], paths]) {
    await lab.load({
      kind: 'get',
      ports: [port],
      paths: asked,
      connections: CLIENTS,
      seconds,
    });
  }
}

type Page = {
  data: { id: number }[];
  next_before: number | null;
  snapshot: number;
};

async function topicsOf(port: number): Promise<number[]> {
  const topics: number[] = [];
  let more = '';
  for (;;) {
    const path = `/api/threads?limit=${PER_PAGE}&preview=1${more}`;
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
    const page = (await answer.json()) as Page;
    topics.push(...page.data.map(({ id }) => id));
    if (page.next_before === null) return topics;
    more = `&before=${page.next_before}&snapshot=${page.snapshot}`;
  }
}
