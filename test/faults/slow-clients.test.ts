import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { EXACT, FULL, within } from '../support/full.js';
import { givenBoard } from '../support/hooks.js';
import { publish } from '../support/post.js';
import { chosenSeed, randomOf } from '../support/random.js';
import { until } from '../support/until.js';
import { atOnce, draft, post, ticketFor } from '../support/wire.js';
import { check } from './check.js';
import { givenNode, MANY_READS } from './given-node.js';
import { asked, type History, publishDeed } from './history/history.js';
import { readState } from './history/state.js';
import { recordFaults } from './report.js';

const CLIENTS = FULL ? 500 : 30;
const CLOSED_MS = within(12_000);
const PROBE_MS = 50;
const DRIP_MS = 500;
/** Far more answers than the system keeps for a reader who reads nothing. */
const ASKED = 60;

type Slow = { name: string; start: string; drip: string; reads: boolean };

const DOCUMENT = [
  ...['GET /openapi.json HTTP/1.1', 'Host: board.test'],
  ...['X-Forwarded-For: 10.8.0.2', '', ''],
].join('\r\n');

const SLOW: Slow[] = [
  {
    name: 'headers',
    start: 'GET /api/threads HTTP/1.1\r\nHost: board.test\r\n',
    drip: 'X-A: 1\r\n',
    reads: true,
  },
  {
    name: 'bodies',
    start: [
      ...['POST /write/preview HTTP/1.1', 'Host: board.test'],
      ...['Content-Type: application/json', 'X-Forwarded-For: 10.8.0.1'],
      ...['Content-Length: 60000', '', '{"body":"'],
    ].join('\r\n'),
    drip: 'a',
    reads: true,
  },
  // A few bytes at a time, and an empty line to hear whether anybody is there.
  { name: 'reads', start: DOCUMENT.repeat(ASKED), drip: '\r\n', reads: false },
];

/** D2, with the timeouts of every node and bytes that come one by one. */
describe('clients that take their time', () => {
  // Behind a proxy: without one a network could not hold as many connections.
  const node = givenNode({ env: MANY_READS });

  function open({ start, reads }: Slow): Promise<Socket> {
    const taken = { buffer: Buffer.alloc(16), callback: () => reads };
    const socket = connect({
      port: Number(new URL(node.url).port),
      host: '127.0.0.1',
      onread: taken,
    });
    socket.on('error', () => {});
    return new Promise((resolve) => {
      socket.on('connect', () => {
        socket.write(start);
        resolve(socket);
      });
    });
  }

  const isClosed = ({ readableEnded, destroyed }: Socket) =>
    readableEnded || destroyed;

  async function probed(): Promise<number> {
    const asked = performance.now();
    const answer = await fetch(`${node.url}/healthz`);
    await answer.text();
    expect(answer.status).to.equal(200);
    return performance.now() - asked;
  }

  it(`are let go, ${CLIENTS} of each kind at once`, async () => {
    const kinds = await Promise.all(
      SLOW.map(async (slow) => {
        const opened = Array.from({ length: CLIENTS }, () => open(slow));
        return { ...slow, sockets: await Promise.all(opened) };
      }),
    );
    const began = performance.now();
    const timer = setInterval(() => {
      for (const { drip, sockets } of kinds) {
        for (const socket of sockets) {
          if (socket.destroyed) continue;
          socket.write(drip);
          socket.resume();
        }
      }
    }, DRIP_MS);
    const probes: number[] = [];
    for (const { name, sockets } of kinds) {
      const over = async () => {
        probes.push(await probed());
        return sockets.every(isClosed);
      };
      await until(`slow ${name} to be closed`, over, CLOSED_MS);
      const took = performance.now() - began;
      console.log(`      slow ${name}: ${took.toFixed(0)} ms`);
      expect(took).to.be.below(CLOSED_MS);
    }
    clearInterval(timer);
    for (const { sockets } of kinds) {
      for (const socket of sockets) socket.destroy();
    }
    probes.sort((a, b) => a - b);
    const p99 = probes[Math.floor(probes.length * 0.99)] ?? 0;
    console.log(`      probes p99 ${p99.toFixed(1)} ms`);
    if (EXACT) expect(p99).to.be.below(PROBE_MS);
    for (const { name } of kinds) {
      await recordFaults({ test: `D2 ${name}`, faults: CLIENTS });
    }
  });
});

const CUTS = FULL ? 500 : 50;
const AT_ONCE = 10;
const SOON_MS = 12;

describe('clients that are cut off after they asked', () => {
  const test = givenBoard({ lifted: true });
  const history: History = [];
  before(() => publish(test));

  async function sendAndLeave(body: object, afterMs: number): Promise<void> {
    const { port } = new URL(test.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    const text = JSON.stringify(body);
    const head = [
      ...['POST /write/publish HTTP/1.1', 'Host: board.test'],
      ...['Content-Type: application/json', `Content-Length: ${text.length}`],
      'X-Forwarded-For: 203.0.113.1',
    ];
    await new Promise<void>((resolve) => {
      socket.write(`${head.join('\r\n')}\r\n\r\n${text}`, () => resolve());
    });
    await pause(afterMs);
    socket.resetAndDestroy();
  }

  it('find their message by the same ticket, once', async () => {
    const seed = chosenSeed();
    const random = randomOf(seed);
    for (let round = 0; round < CUTS / AT_ONCE; round += 1) {
      await atOnce(AT_ONCE, async () => {
        const one = draft(1);
        const ticket = await ticketFor(test.url, one);
        const req = asked(one);
        const t = performance.now();
        await sendAndLeave(ticket, random() * SOON_MS);
        history.push(publishDeed(req, t, null));
        const start = performance.now();
        const reply = await post(test.url, '/write/publish', ticket);
        expect(reply.status).to.be.oneOf([200, 201]);
        history.push(publishDeed(req, start, reply));
      });
    }
    const state = await readState(test.url, (sql) =>
      test.board.context.reads.query(sql, []),
    );
    const outcome = { acked: CUTS, unknown: CUTS };
    const violations = check(history, state);
    await recordFaults({
      ...{ test: 'A3 clients', seed, faults: CUTS, violations },
      ...outcome,
    });
    expect(state.messages).to.have.lengthOf(CUTS + 1);
  });
});
