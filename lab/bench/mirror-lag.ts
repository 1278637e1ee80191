import { measureLag, type Times } from './live-lag.js';
import { Progress } from './set-up/progress.js';
import { startThreeNodes } from './three-nodes.js';
import { measureWire } from './wire-bytes.js';

/**
 * Rows M2 and M3 by themselves: how soon a message can be read at a mirror,
 * and what it costs on the wire. `npm run bench:lag -- 300`
 */
const PUBLISHES = Number(process.argv[2] ?? 300);

const progress = new Progress(process.stderr);
const onProgress = (done: number, all: number) =>
  progress.at('publishes', done, all);
const text = ({ p50, p99 }: Times) =>
  `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;

const three = await startThreeNodes();
try {
  const found = await measureLag(three, { publishes: PUBLISHES, onProgress });
  progress.note('');
  console.log(`publish to readable at the mirror: ${text(found.lag)}`);
  console.log(`of that the publish: ${text(found.publish)}`);
  console.log(`loopback round trip: ${text(found.roundTrip)}`);
  console.log(`one commit: ${text(found.commit)}`);
  console.log(`M2: ${found.ratio.toFixed(1)} × round trip and commit`);
  const { messages, body, plain, gzip, alone } = await measureWire(
    three.nodes[0],
  );
  const over = (bytes: number) =>
    `body + ${(bytes - body).toFixed(0)} B (× ${(bytes / (body + 700)).toFixed(2)} of body + 700)`;
  console.log(`M3: ${messages} messages of ${body.toFixed(0)} B each`);
  console.log(`full pages: ${over(plain)}, gzip ${over(gzip)}`);
  console.log(`one by one: ${over(alone.plain)}, gzip ${over(alone.gzip)}`);
} finally {
  await three.stop();
}
