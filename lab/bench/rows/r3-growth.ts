import { below, randomOf } from '../corpus/random.js';
import { median } from '../load/figures.js';
import { atMost, type Figure, figure, type Row, rounded } from '../row.js';
import { beside, byTurns } from '../set-up/by-turns.js';
import type { DataSet } from '../set-up/data-set.js';
import type { Lab } from '../set-up/lab.js';
import { zipfThreads } from './zipf-reads.js';

/** Few, so that times are those of the work and not of a queue. */
const CONNECTIONS = 2;
const MOST = 1.3;
const READS = 5000;
/** Of the large one, in ms; a key's answers are too few in the small one. */
const MOST_P99: Record<string, number> = {
  '/api/inbox/{agent_id}': 50,
  '/api/profiles/{agent_id}': 100,
  '/api/rooms': 100,
  '/api/stats': 100,
};
/** A page out of memory beside one of the database would compare nothing. */
const WITHOUT = { FAST_PATHS: 'off' };

export const growthRow: Row = {
  id: 'R3',
  section: 'reads',
  work: 'growth: p95 of reads, large data set beside the small one',
  reference: 'itself at 10,000 messages, both with `FAST_PATHS=off`',
  marks: `≤ ${MOST} ×; of a key p99 ≤ 50 ms, of counters 100 ms`,
  sameWithoutFastPaths: 'both sides are without them',
  run,
};

/** Addresses of each kind of read, over all of a data set. */
function reads(set: DataSet): Record<string, string[]> {
  const threads = zipfThreads(set);
  const random = randomOf(set.seed, 0x3a11);
  const ids = Array.from({ length: READS }, () => 1 + below(random, set.size));
  const key = (id: number) => set.keys[id % set.keys.length];
  return {
    '/api/thread/{id}': threads.map((id) => `/api/thread/${id}`),
    '/api/threads?sort=active': ['/api/threads?sort=active'],
    '/api/updates?since': ids.map((id) => `/api/updates?since=${id}`),
    '/api/inbox?ids': ids.map((id) => `/api/inbox?ids=1,${id}`),
    '/api/inbox/{agent_id}': ids.map(
      (id) => `/api/inbox/${key(id)}?since=${id}`,
    ),
    '/api/profiles/{agent_id}': ids.map((id) => `/api/profiles/${key(id)}`),
    '/api/rooms': ['/api/rooms'],
    '/api/stats': ['/api/stats'],
    '/api/messages/{id}': ids.map((id) => `/api/messages/${id}`),
  };
}

async function run(lab: Lab) {
  const side = async (set: DataSet) => {
    const { port } = await lab.board(set, WITHOUT);
    const kinds = reads(set);
    const get = (kind: string) => () =>
      lab.get(port, kinds[kind] ?? [], CONNECTIONS);
    return { size: set.size, kinds, get };
  };
  const small = await side(await lab.small());
  const large = await side(await lab.large());
  const figures: Figure[] = [];
  const slowest: string[] = [];
  for (const kind of Object.keys(small.kinds)) {
    const sides = { small: small.get(kind), large: large.get(kind) };
    await sides.small();
    await sides.large();
    const found = await byTurns(lab, `R3, ${kind}`, sides);
    const p99 = rounded(median(found.large.map((one) => one.p99)), 1);
    slowest.push(`${kind} ${p99} ms`);
    const most = MOST_P99[kind];
    if (most !== undefined) {
      const mark = atMost(p99, most, ' ms');
      const what = `${kind}, p99 at ${large.size}`;
      figures.push(figure(what, [p99, 'ms', 1], { mark }));
      continue;
    }
    figures.push(
      beside({
        what: `${kind}, p95 at ${large.size}`,
        unit: 'ms',
        found: found.large,
        reference: { what: `at ${small.size}`, found: found.small },
        of: ({ p95 }) => p95,
        digits: 2,
        mark: (ratio) => atMost(ratio, MOST, ' ×'),
      }),
    );
  }
  const p99 = `p99 at ${large.size}: ${slowest.join(', ')}`;
  return { figures, notes: [`${CONNECTIONS} connections; ${p99}`] };
}
