import { once } from 'node:events';
import { get, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { FULL, within } from '../support/full.js';
import { chosenSeed, randomOf } from '../support/random.js';
import { until } from '../support/until.js';
import { atOnce } from '../support/wire.js';
import { givenNode } from './given-node.js';
import type { NodeProcess } from './node-process.js';
import { recordFaults } from './report.js';
import { Writers } from './writers.js';

const STOPS = FULL ? 20 : 2;
const POLLS = FULL ? 2000 : 300;
/** Opened at a time: a listening queue is 511 long, and each looks first. */
const STEP = 50;

describe('a node asked to stop while polls wait and writers write', () => {
  const node = givenNode();

  it(`answers them, and ends well within 10 s, ${STOPS} times`, async () => {
    const seed = chosenSeed();
    const writers = new Writers({
      on: node,
      count: 8,
      random: randomOf(seed),
      mayHangUp: true,
    });
    writers.start();
    for (let stop = 0; stop < STOPS; stop += 1) {
      await writers.progress(20);
      const polls: Get[] = [];
      while (polls.length < POLLS) {
        const from = polls.length;
        const more = Array.from({ length: STEP }, (_, n) =>
          longPoll(node, from + n),
        );
        polls.push(...more);
        await Promise.all(more.map(({ sent }) => sent));
        // Connections are taken in turn: once these two have been answered,
        // so have the polls been read.
        for (let n = 0; n < 2; n += 1) {
          await getAlone(`${node.url}/healthz`, {}).answered;
        }
      }
      await writers.progress(5);
      const asked = performance.now();
      expect(await node.end('SIGTERM')).to.equal(0);
      expect(performance.now() - asked).to.be.below(within(10_000));
      const left = await node.postmaster().catch(() => null);
      expect(left, 'its database stops with it').to.equal(null);
      for (const { answered } of polls) {
        const { status, body } = await answered;
        expect(status).to.equal(200);
        expect(JSON.parse(body)).to.include({ count: 0, cursor: 7 });
      }
      await node.start();
    }
    await writers.progress(10);
    await writers.stop();
    const outcome = await writers.check();
    await recordFaults({ test: 'A8', seed, faults: STOPS, ...outcome });
  });
});

type Get = {
  sent: Promise<unknown>;
  answered: Promise<{ status: number; body: string }>;
};

/** A wait in a room nobody writes to: nothing but the stop can end it. */
function longPoll(node: NodeProcess, n: number): Get {
  const url = `${node.url}/api/updates?room=workshop&since=7&wait=25`;
  const from = `10.1.${n >> 5}.${n & 31}`;
  return getAlone(url, { 'X-Forwarded-For': from });
}

function getAlone(url: string, headers: OutgoingHttpHeaders): Get {
  const request = get(url, { agent: false, headers });
  const answered = once(request, 'response').then(async ([message]) => {
    const response = message as IncomingMessage;
    let body = '';
    for await (const text of response.setEncoding('utf8')) body += text;
    return { status: response.statusCode ?? 0, body };
  });
  answered.catch(() => undefined); // looked at once all have been answered
  return { sent: once(request, 'finish'), answered };
}

const ROUNDS = FULL ? 5 : 1;
/** Its own modules alone are opened by the hundred. */
const DESCRIPTORS = 512;
const SOCKETS = 1000;

describe('a node without file descriptors', () => {
  const node = givenNode({ shell: `ulimit -n ${DESCRIPTORS}` });

  /** A connection that asks for nothing; it may be refused or cut. */
  function idle(): Promise<Socket> {
    const socket = connect(Number(new URL(node.url).port), '127.0.0.1');
    return new Promise((resolve) => {
      socket.on('error', () => resolve(socket));
      socket.on('connect', () => resolve(socket));
    });
  }

  async function answers(): Promise<boolean> {
    const answer = await fetch(`${node.url}/healthz`).catch(() => null);
    await answer?.text();
    return answer?.status === 200;
  }

  it(`takes connections again when there are some, ${ROUNDS} times`, async () => {
    const seed = chosenSeed();
    const writers = new Writers({
      on: node,
      count: 4,
      random: randomOf(seed),
      mayHangUp: true,
    });
    for (let round = 0; round < ROUNDS; round += 1) {
      writers.start();
      await writers.progress(5);
      const sockets = await atOnce(SOCKETS, idle);
      for (const socket of sockets) socket.destroy();
      const freed = performance.now();
      await until('an answer', answers);
      expect(performance.now() - freed).to.be.below(within(2000));
      await writers.progress(5);
      await writers.stop();
      expect(node.alive).to.equal(true);
    }
    const { votes: _, ...outcome } = await writers.check();
    await recordFaults({ test: 'A9', seed, faults: ROUNDS, ...outcome });
  });
});
