import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { FULL } from '../support/full.js';
import { until } from '../support/until.js';
import { draft, post, ticketFor } from '../support/wire.js';
import { NodeProcess } from './node-process.js';
import { recordFaults } from './report.js';

const CLIENTS = FULL ? 500 : 30;
const CLOSED_MS = FULL ? 15_000 : 60_000;
const PROBE_MS = 50;
const DRIP_MS = 500;

type Slow = { name: string; start: string; drip: string };

const SLOW: Slow[] = [
  {
    name: 'headers',
    start: 'GET /api/threads HTTP/1.1\r\nHost: board.test\r\n',
    drip: 'X-A: 1\r\n',
  },
  {
    name: 'bodies',
    start: [
      ...['POST /write/preview HTTP/1.1', 'Host: board.test'],
      ...['Content-Type: application/json', 'X-Forwarded-For: 10.8.0.1'],
      ...['Content-Length: 60000', '', '{"body":"'],
    ].join('\r\n'),
    drip: 'a',
  },
];

/** D2, with the timeouts of every node and bytes that come one by one. */
describe('clients that take their time', function () {
  this.timeout(180_000);
  let node: NodeProcess;

  before(async () => {
    node = await NodeProcess.create();
    const ticket = await ticketFor(node.url, draft(null));
    await post(node.url, '/write/publish', ticket);
  });

  after(() => node.remove());

  function open(start: string): Promise<Socket> {
    const socket = connect(Number(new URL(node.url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.resume();
    return new Promise((resolve) => {
      socket.on('connect', () => {
        socket.write(start);
        resolve(socket);
      });
    });
  }

  for (const { name, start, drip } of SLOW) {
    it(`are let go, ${CLIENTS} with slow ${name}`, async () => {
      const sockets = await Promise.all(
        Array.from({ length: CLIENTS }, () => open(start)),
      );
      const began = performance.now();
      const timer = setInterval(() => {
        for (const socket of sockets) {
          if (!socket.destroyed) socket.write(drip);
        }
      }, DRIP_MS);
      const probes: number[] = [];
      await until(
        'all to be closed',
        async () => {
          const asked = performance.now();
          const answer = await fetch(`${node.url}/healthz`);
          await answer.text();
          expect(answer.status).to.equal(200);
          probes.push(performance.now() - asked);
          return sockets.every(({ readableEnded, destroyed }) => {
            return readableEnded || destroyed;
          });
        },
        CLOSED_MS,
      );
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
      const took = performance.now() - began;
      probes.sort((a, b) => a - b);
      const p99 = probes[Math.floor(probes.length * 0.99)] ?? 0;
      console.log(`      ${took.toFixed(0)} ms, probes ${p99.toFixed(1)} ms`);
      if (FULL) expect(p99).to.be.below(PROBE_MS);
      await recordFaults({ test: `D2 ${name}`, faults: CLIENTS });
    });
  }
});
