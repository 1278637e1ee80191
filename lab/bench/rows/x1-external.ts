import type { LoadFigures } from '../load/figures.js';
import { atLeast, type Figure, type Row } from '../row.js';
import { beside, byTurns, perSecond } from '../set-up/by-turns.js';
import type { Lab } from '../set-up/lab.js';
import { BEHIND_PROXY } from '../set-up/settings.js';
import { type Publish, publisher, warm } from './publisher.js';
import { zipfThreads } from './zipf-reads.js';

const LEAST = 0.9;
const CLIENTS = [1, 32];
const READERS = 32;

export const externalRow: Row = {
  id: 'X1',
  section: 'node',
  work: 'W1 and R2 on a PostgreSQL with its own settings beside the one of a board',
  reference: 'the same on the server of a board',
  marks: `≥ ${LEAST}`,
  run,
};

type Side = { publish: Publish; read(): Promise<LoadFigures> };

async function run(lab: Lab) {
  const other = await lab.external();
  const sides = { external: await side(other), own: await side(lab) };
  const figures: Figure[] = [];
  let failures = 0;
  const compare = async (
    what: string,
    unit: string,
    load: (side: Side) => Promise<LoadFigures>,
  ) => {
    const found = await byTurns(lab, `X1, ${what}`, {
      external: () => load(sides.external),
      own: () => load(sides.own),
    });
    for (const one of [...found.external, ...found.own]) {
      failures += one.failures;
    }
    figures.push(
      beside({
        what,
        unit,
        found: found.external,
        reference: { what: 'on its own server', found: found.own },
        of: perSecond,
        mark: (ratio) => atLeast(ratio, LEAST),
      }),
    );
  };
  for (const clients of CLIENTS) {
    const what = `publishes, ${clients} ${clients === 1 ? 'client' : 'clients'}`;
    await compare(what, 'publishes/s', ({ publish }) => publish(clients));
  }
  await compare('reads of threads', 'requests/s', ({ read }) => read());
  const [here, there] = [
    await lab.cluster.version(),
    await other.cluster.version(),
  ];
  return {
    figures,
    notes: [
      `PostgreSQL ${there} beside the board's ${here}; ${failures} failures`,
    ],
  };
}

async function side(lab: Lab): Promise<Side> {
  const copy = await lab.writable();
  const publish = publisher(lab, copy, await lab.board(copy, BEHIND_PROXY));
  const set = await lab.large();
  const { port } = await lab.board(set);
  const paths = zipfThreads(set).map((id) => `/api/thread/${id}`);
  const read = () => lab.get(port, paths, READERS);
  await warm(lab, publish);
  await read(); // plans made, pages in memory
  return { publish, read };
}
