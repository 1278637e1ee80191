import { measureLag } from '../live-lag.js';
import { atMost, type Outcome, type Row, rounded } from '../row.js';
import type { Lab } from '../set-up/lab.js';
import { startThreeNodes } from '../three-nodes.js';

const PUBLISHES = 300;
const SHORT_PUBLISHES = 5;
const MOST = 15;
const SLOWEST_MS = 250;

export const lagRow: Row = {
  id: 'M2',
  section: 'mesh',
  work: 'a signed message is readable at a mirror, long poll held',
  reference: 'a loopback round trip and a commit',
  marks: `≤ ${MOST}; p99 ≤ ${SLOWEST_MS} ms`,
  sameWithoutFastPaths: 'long polls of mirrored boards go through Express',
  run,
};

async function run(lab: Lab): Promise<Outcome> {
  const { short, progress } = lab.options;
  const three = await startThreeNodes();
  try {
    const { lag, publish, roundTrip, commit, ratio } = await measureLag(three, {
      publishes: short ? SHORT_PUBLISHES : PUBLISHES,
      onProgress: (done, all) => progress.at('M2', done, all),
    });
    return {
      figures: [
        {
          what: 'p50 from the request to publish',
          value: rounded(lag.p50),
          unit: 'ms',
          reference: {
            what: 'a loopback round trip and a commit',
            value: rounded(roundTrip.p50 + commit.p50),
            unit: 'ms',
          },
          ratio: rounded(ratio),
          mark: atMost(ratio, MOST, ' ×'),
        },
        {
          what: 'p99',
          value: rounded(lag.p99),
          unit: 'ms',
          mark: atMost(lag.p99, SLOWEST_MS, ' ms'),
        },
      ],
      notes: [`of p50 ${rounded(publish.p50)} ms are the publish itself`],
    };
  } finally {
    await three.stop();
  }
}
