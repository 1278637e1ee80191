import { measureIngest } from '../ingest.js';
import { atLeast, type Outcome, type Row, rounded } from '../row.js';
import type { Lab } from '../set-up/lab.js';

const LEAST_OF_ONE = 0.7;
const LEAST_OF_ALL = 0.4;
const perSecond = (us: number) => rounded(1e6 / us, 0);

export const ingestRow: Row = {
  id: 'M1',
  section: 'mesh',
  work: 'a mirror takes in a log of signed messages, texts and all',
  reference: 'their signatures alone, on one core and on up to four',
  marks: `≥ ${LEAST_OF_ONE}; ≥ ${LEAST_OF_ALL}`,
  sameWithoutFastPaths: 'a mirror serves nobody while it takes in',
  run,
};

async function run(lab: Lab): Promise<Outcome> {
  const { pace, progress } = lab.options;
  const found = await measureIngest({
    ...pace.ingest,
    onProgress: (done, size) => progress.at('M1', done, size),
  });
  const { cores, runs, ratioOfOne, ratioOfAll } = found;
  const middle = [...runs].sort((a, b) => a.ratioOfOne - b.ratioOfOne)[
    Math.floor(runs.length / 2)
  ];
  if (middle === undefined) throw new Error('nothing was measured');
  const { one, all, ingest } = middle;
  const figure = (
    what: string,
    threads: string,
    us: number,
    ratio: number,
    least: number,
  ) => ({
    what,
    value: perSecond(ingest.wall),
    unit: 'messages/s',
    reference: {
      what: `signatures alone on ${threads}`,
      value: perSecond(us),
      unit: 'signatures/s',
    },
    ratio: rounded(ratio),
    mark: atLeast(rounded(ratio), least),
  });
  const spent = `${rounded(ingest.cpu, 0)} µs of the node, ${rounded(ingest.database, 0)} µs of the database`;
  return {
    figures: [
      figure('beside one core', 'one', one.wall, ratioOfOne, LEAST_OF_ONE),
      figure(
        'beside all cores',
        `${cores}`,
        all.wall,
        ratioOfAll,
        LEAST_OF_ALL,
      ),
    ],
    notes: [`processor time for each message: ${spent}`],
  };
}
