import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { EXACT, FULL, within } from '../support/full.js';
import { until } from '../support/until.js';
import { NodeProcess } from './node-process.js';
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
  let node: NodeProcess;

  before(async () => {
    const limits = { reads_per_network_minute: 1_000_000 };
    node = await NodeProcess.create({
      // Without a proxy a network could not hold as many connections.
      env: { BOARD_LIMITS: JSON.stringify(limits) },
    });
  });

  after(() => node.remove());

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
