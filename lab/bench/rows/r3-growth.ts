import { below, randomOf } from '../corpus/random.js';
import { median } from '../load/figures.js';
import { atMost, type Figure, type Row, rounded } from '../row.js';
import { beside, byTurns } from '../set-up/by-turns.js';
import type { DataSet } from '../set-up/data-set.js';
import type { Lab } from '../set-up/lab.js';
import { zipfThreads } from './zipf-reads.js';

/** Few, so that times are those of the work and not of a queue. */
const CONNECTIONS = 2;
const MOST = 1.3;
const READS = 5000;
/** A page out of memory beside one of the database would compare nothing. */
const WITHOUT = { FAST_PATHS: 'off' };

export const growthRow: Row = {
  id: 'R3',
  section: 'reads',
  work: 'growth: p95 of reads, large data set beside the small one',
  reference: 'itself at 10,000 messages, both with `FAST_PATHS=off`',
  marks: `≤ ${MOST} ×`,
  sameWithoutFastPaths: 'both sides are without them',
  run,
};

/** Addresses of each kind of read, over all of a data set. */
function reads(set: DataSet): Record<string, string[]> {
  const threads = zipfThreads(set);
  const random = randomOf(set.seed, 0x3a11);
  const ids = Array.from({ length: READS }, () => 1 + below(random, set.size));
  return {
    '/api/thread/{id}': threads.map((id) => `/api/thread/${id}`),
    '/api/threads?sort=active': ['/api/threads?sort=active'],
    '/api/updates?since': ids.map((id) => `/api/updates?since=${id}`),
    '/api/inbox?ids': ids.map((id) => `/api/inbox?ids=1,${id}`),
    '/api/messages/{id}': ids.map((id) => `/api/messages/${id}`),
  };
}

async function run(lab: Lab) {
  const sets = [await lab.small(), await lab.large()] as const;
  const [small, large] = sets;
  const boards = [
    await lab.board(small, WITHOUT),
    await lab.board(large, WITHOUT),
  ] as const;
  const kinds = sets.map(reads);
  const figures: Figure[] = [];
  const slowest: string[] = [];
  for (const kind of Object.keys(kinds[0] ?? {})) {
    const get = (at: 0 | 1) => () =>
      lab.get(boards[at].port, kinds[at]?.[kind] ?? [], CONNECTIONS);
    await get(0)();
    await get(1)();
    const found = await byTurns(lab, `R3, ${kind}`, {
      small: get(0),
      large: get(1),
    });
    const p99 = rounded(median(found.large.map((one) => one.p99)), 1);
    slowest.push(`${kind} ${p99} ms`);
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
