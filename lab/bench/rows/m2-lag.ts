import pg from 'pg';
import type { BoardClient } from '../../../client/board-client.js';
import { readPins, verifyProofText } from '../../../client/verify/verify.js';
import { utf8 } from '../../../protocol/bytes.js';
import { clientAt, newTraveller } from '../../mesh-demo/agent.js';
import { messageText } from '../corpus/message.js';
import { Connection } from '../load/connection.js';
import { median, quantile } from '../load/figures.js';
import { getRequest } from '../load/get.js';
import { atMost, figure, type Row, rounded } from '../row.js';
import type { Lab } from '../set-up/lab.js';
import { type MeshBoard, meshBoard } from './mesh-board.js';

const PUBLISHES = 300;
const SHORT_PUBLISHES = 5;
/** Before anything counts: code compiled, plans made. */
const WARM = 20;
const WAIT_S = 25;
const SEED = 1;
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

/** Milliseconds of one message. */
type Lag = {
  lag: number;
  /** Of that, until the board itself answered. */
  publish: number;
  /** What cannot be had for less, measured just before. */
  roundTrip: number;
  commit: number;
};

/** One by one, while a long poll waits at a mirror; the last is proven. */
async function run(lab: Lab) {
  const publishes = lab.options.short ? SHORT_PUBLISHES : PUBLISHES;
  const [a, b] = [await meshBoard(lab), await meshBoard(lab)];
  await b.ask({ ask: 'link', url: a.url, logVkey: a.logVkey });
  const least = await leastTimes(lab, a);
  const reader = await Connection.open(b.port);
  const sent = { begun: 0, ended: 0 };
  const client = await timedClient(a, sent);
  const found: Lag[] = [];
  try {
    for (let n = 0; n < WARM + publishes; n += 1) {
      lab.at('M2', n, WARM + publishes);
      const bare = await least.times();
      const arrived = arrival(reader, a, n);
      const { title, body } = messageText(SEED, n + 1);
      await client.post({ title, body });
      const lag = (await arrived) - sent.begun;
      const publish = sent.ended - sent.begun;
      if (n >= WARM) found.push({ lag, publish, ...bare });
    }
    await checkProof(b, a, WARM + publishes);
  } finally {
    reader.close();
    await least.close();
  }
  const p50 = (of: keyof Lag) => median(found.map((one) => one[of]));
  const lags = found.map(({ lag }) => lag).sort((x, y) => x - y);
  const p99 = quantile(lags, 0.99);
  const bare = p50('roundTrip') + p50('commit');
  const ratio = p50('lag') / bare;
  return {
    figures: [
      figure('p50 from the request to publish', [p50('lag'), 'ms'], {
        reference: [lagRow.reference, bare],
        ratio,
        mark: atMost(ratio, MOST, ' ×'),
      }),
      figure('p99', [p99, 'ms'], { mark: atMost(p99, SLOWEST_MS, ' ms') }),
    ],
    notes: [`of p50 ${rounded(p50('publish'))} ms are the publish itself`],
  };
}

/** Notes when the second step of a post is sent, and when it is answered. */
async function timedClient(
  at: MeshBoard,
  sent: { begun: number; ended: number },
): Promise<BoardClient> {
  const timed: typeof fetch = async (input, init) => {
    const begun = performance.now();
    const answer = await fetch(input, init);
    if (!String(input).endsWith('/write/publish')) return answer;
    sent.begun = begun;
    sent.ended = performance.now();
    return answer;
  };
  return await clientAt(at, await newTraveller(), { fetch: timed });
}

/** When the reader is given the message after `since`. */
async function arrival(
  reader: Connection,
  { name }: MeshBoard,
  since: number,
): Promise<number> {
  const path = `/api/mesh/boards/${name}/updates?since=${since}&wait=${WAIT_S}`;
  for (;;) {
    const { status, body } = await reader.request(getRequest(path), true);
    const at = performance.now();
    if (status !== 200) throw new Error(`${path}: ${status}`);
    const { count } = JSON.parse(String(body)) as { count: number };
    if (count > 0) return at;
  }
}

/** A server that only answers, and a row that is only committed. */
async function leastTimes(lab: Lab, { databaseUrl }: MeshBoard) {
  const headers = ['Content-Length', '2'];
  const body = utf8('ok');
  const port = await lab.reference({ kind: 'bare', headers, body });
  const connection = await Connection.open(port);
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  await database.query('CREATE TABLE bare_commit (at bigint)');
  const msOf = async (work: () => Promise<unknown>) => {
    const begun = performance.now();
    await work();
    return performance.now() - begun;
  };
  const insert = 'INSERT INTO bare_commit VALUES ($1)';
  return {
    times: async () => ({
      roundTrip: await msOf(() => connection.request(getRequest('/'))),
      commit: await msOf(() => database.query(insert, [Date.now()])),
    }),
    close: async () => {
      connection.close();
      await database.end();
    },
  };
}

async function checkProof(at: MeshBoard, of: MeshBoard, id: number) {
  const path = `/api/mesh/boards/${of.name}/messages/${id}/proof`;
  const answer = await fetch(`${at.url}${path}`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const pins = readPins([of.logVkey]);
  const verdict = pins.ok && (await verifyProofText(bytes, pins.value));
  if (verdict === false || !verdict.ok) throw new Error('it is not proven');
}
