import type { BoardClient } from '../../client/board-client.js';
import { readPins, verifyProofText } from '../../client/verify/verify.js';
import { utf8 } from '../../protocol/bytes.js';
import { clientAt, newTraveller } from '../mesh-demo/agent.js';
import { messageText } from './corpus/message.js';
import { Connection } from './load/connection.js';
import { quantile } from './load/figures.js';
import type { ReferenceQuestion } from './processes/reference.js';
import { Child } from './set-up/child.js';
import type { MeshNode, ThreeNodes } from './three-nodes.js';

const SEED = 1;
/** Before anything counts: code compiled, plans made. */
const WARM = 20;
const WAIT_S = 25;

/** Milliseconds. */
export type Times = { p50: number; p99: number };

export type LagFigures = {
  publishes: number;
  /** From the request to publish to the answer to a reader of the mirror. */
  lag: Times;
  /** Of that, until the board itself answered. */
  publish: Times;
  /** One loopback HTTP round trip, and one commit, between the publishes. */
  roundTrip: Times;
  commit: Times;
  /** Of the medians: lag to round trip and commit. */
  ratio: number;
};

export type LagOptions = {
  publishes: number;
  onProgress?: (done: number, all: number) => void;
};

function timesOf(values: readonly number[]): Times {
  const sorted = Float64Array.from(values).sort();
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
}

const get = (path: string) =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nHost: board.bench\r\n\r\n`);

/**
 * Row M2: signed messages are published at the first node one by one, while a
 * reader of the second one holds a long poll on its mirror; and each time,
 * between two of them, the two things are measured that cannot be had for
 * less. The last message's proof is asked of the mirror and verified.
 * @throws Error where a message does not come or is not proven.
 */
export async function measureLag(
  { nodes: [a, b] }: ThreeNodes,
  { publishes, onProgress = () => {} }: LagOptions,
): Promise<LagFigures> {
  const bare = await bareServer();
  const reader = await Connection.open(b.port);
  const sent = { begun: 0, ended: 0 };
  const client = await timedClient(a, sent);
  const found = {
    lag: [] as number[],
    publish: [] as number[],
    roundTrip: [] as number[],
    commit: [] as number[],
  };
  try {
    for (let n = 1 - WARM; n <= publishes; n += 1) {
      const roundTrip = await bare.roundTrip();
      const commit = await a.ask<number>({ ask: 'commit' });
      const arrived = arrival(reader, a, n + WARM - 1);
      const { title, body } = messageText(SEED, n + WARM);
      await client.post({ title, body });
      const lag = (await arrived) - sent.begun;
      if (n < 1) continue;
      found.lag.push(lag);
      found.publish.push(sent.ended - sent.begun);
      found.roundTrip.push(roundTrip);
      found.commit.push(commit);
      onProgress(n, publishes);
    }
    await checkProof(b, a, publishes + WARM);
  } finally {
    reader.close();
    await bare.close();
  }
  const [lag, publish] = [timesOf(found.lag), timesOf(found.publish)];
  const [roundTrip, commit] = [found.roundTrip, found.commit].map(timesOf);
  if (!roundTrip || !commit) throw new Error('nothing was measured');
  const ratio = lag.p50 / (roundTrip.p50 + commit.p50);
  return { publishes, lag, publish, roundTrip, commit, ratio };
}

/** Notes when the second step of a post is sent, and when it is answered. */
async function timedClient(
  at: MeshNode,
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
  { name }: MeshNode,
  since: number,
): Promise<number> {
  const path = `/api/mesh/boards/${name}/updates`;
  const page = get(`${path}?since=${since}&wait=${WAIT_S}`);
  for (;;) {
    const { status, body } = await reader.request(page, true);
    const at = performance.now();
    if (status !== 200) throw new Error(`${path}: ${status}`);
    const { count } = JSON.parse(String(body)) as { count: number };
    if (count > 0) return at;
  }
}

/** A server that does nothing but answer, in a process of its own. */
async function bareServer() {
  const child = Child.start('reference');
  const question: ReferenceQuestion = {
    kind: 'bare',
    headers: ['Content-Length', '2'],
    body: utf8('ok'),
  };
  const connection = await Connection.open(await child.ask<number>(question));
  return {
    roundTrip: async () => {
      const begun = performance.now();
      await connection.request(get('/'));
      return performance.now() - begun;
    },
    close: async () => {
      connection.close();
      await child.stop();
    },
  };
}

async function checkProof(at: MeshNode, of: MeshNode, id: number) {
  const path = `/api/mesh/boards/${of.name}/messages/${id}/proof`;
  const answer = await fetch(`${at.url}${path}`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const pins = readPins([of.logVkey]);
  const verdict = pins.ok && (await verifyProofText(bytes, pins.value));
  if (verdict === false || !verdict.ok) throw new Error('it is not proven');
}
