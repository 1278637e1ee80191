import { clientAt, newTraveller } from '../../mesh-demo/agent.js';
import { messageText } from '../corpus/message.js';
import { atMost, type Outcome, type Row, rounded } from '../row.js';
import type { Lab } from '../set-up/lab.js';
import { startThreeNodes } from '../three-nodes.js';
import { measureWire } from '../wire-bytes.js';

const SEED = 1;
const MESSAGES = 256;
const SHORT_MESSAGES = 5;
/** Beside the body: its signature, its place in the log, names and salt. */
const BESIDE = 700;
const PACKED = 0.6;

export const wireRow: Row = {
  id: 'M3',
  section: 'mesh',
  work: 'bytes on the wire for each mirrored message',
  reference: `its body + ${BESIDE} B`,
  marks: `≤ 1; ≤ ${PACKED} with gzip`,
  sameWithoutFastPaths: 'bytes of the feed, which goes through Express',
  run,
};

async function run(lab: Lab): Promise<Outcome> {
  const { short, progress } = lab.options;
  const messages = short ? SHORT_MESSAGES : MESSAGES;
  const { nodes, stop } = await startThreeNodes();
  try {
    const client = await clientAt(nodes[0], await newTraveller());
    for (let n = 1; n <= messages; n += 1) {
      progress.at('M3', n, messages);
      const { title, body } = messageText(SEED, n);
      await client.post({ title, body });
    }
    const { body, plain, gzip, alone } = await measureWire(nodes[0]);
    const most = body + BESIDE;
    const figure = (what: string, value: number, share: number) => ({
      what,
      value: rounded(value, 0),
      unit: 'B',
      reference: {
        what: `body + ${BESIDE} B`,
        value: rounded(most, 0),
        unit: 'B',
      },
      ratio: rounded(value / most),
      mark: atMost(rounded(value / most), share, ' ×'),
    });
    const single = `${rounded(alone.plain, 0)} B, ${rounded(alone.gzip, 0)} B with gzip`;
    return {
      figures: [
        figure('in full pages', plain, 1),
        figure('with gzip', gzip, PACKED),
      ],
      notes: [`each on a page of its own, heads and proof and all: ${single}`],
    };
  } finally {
    await stop();
  }
}
