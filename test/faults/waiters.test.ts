import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { FULL } from '../support/full.js';
import { LIFTED } from '../support/lifted.js';
import { until } from '../support/until.js';
import { draft, post, ticketFor } from '../support/wire.js';
import { NodeProcess } from './node-process.js';
import { recordFaults, recordNotRun } from './report.js';

const WAITERS = FULL ? 10_000 : 500;
const ABRUPT = WAITERS / 5;
const ROUNDS = FULL ? 5 : 1;
/** Sockets opened at a time: a listening queue is 511 long. */
const STEP = 250;
const RSS_MB = 400;
const WAKE_MS = FULL ? 2000 : 30_000;

type Waiter = { socket: Socket; answered: () => boolean; at: () => number };

describe('readers who wait', function () {
  this.timeout(ROUNDS * 120_000);
  let node: NodeProcess;

  before(async () => {
    node = await NodeProcess.create({
      env: {
        BOARD_LIMITS: JSON.stringify({
          ...LIFTED,
          reads_per_network_minute: 1_000_000,
        }),
      },
    });
    await publish(null);
  });

  after(() => node.remove());

  async function publish(replyTo: number | null): Promise<number> {
    const ticket = await ticketFor(node.url, draft(replyTo));
    const { body } = await post(node.url, '/write/publish', ticket);
    return (body.message as { id: number }).id;
  }

  async function waiter(n: number, since: number): Promise<Waiter> {
    const socket = connect(Number(new URL(node.url).port), '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    let text = '';
    let at = 0;
    socket.setEncoding('latin1').on('data', (part: string) => {
      text += part;
      if (at === 0) at = performance.now();
    });
    const lines = [
      `GET /api/updates?since=${since}&wait=25 HTTP/1.1`,
      ...['Host: board.test', `X-Forwarded-For: 10.7.${n >> 8}.${n & 255}`],
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    return {
      socket,
      answered: () => /^HTTP\/1\.1 200 /.test(text),
      at: () => at,
    };
  }

  async function waiting(): Promise<number> {
    const answer = await fetch(`${node.url}/healthz`);
    await answer.text();
    const sockets = await readFile(`/proc/${node.pid}/net/tcp`, 'utf8');
    const port = Number(new URL(node.url).port)
      .toString(16)
      .toUpperCase()
      .padStart(4, '0');
    const open = new RegExp(`^\\s*\\d+: 0100007F:${port} \\w+:\\w+ 01 `, 'gm');
    return sockets.match(open)?.length ?? 0;
  }

  async function megabytes(): Promise<number> {
    const text = await readFile(`/proc/${node.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1]) / 1024;
  }

  it(`are woken, or go away without a word, ${WAITERS} of them`, async () => {
    if (process.platform !== 'linux') {
      return await recordNotRun('D1', 'it counts sockets in /proc');
    }
    let last = 1;
    for (let round = 0; round < ROUNDS; round += 1) {
      const waiters: Waiter[] = [];
      while (waiters.length < WAITERS) {
        const from = waiters.length;
        const made = Array.from({ length: STEP }, (_, n) =>
          waiter(from + n, last),
        );
        waiters.push(...(await Promise.all(made)));
      }
      for (const { socket } of waiters.slice(0, ABRUPT)) {
        socket.resetAndDestroy();
      }
      const left = waiters.slice(ABRUPT);
      await until('the others to be held', async () => {
        return (await waiting()) <= left.length + 20;
      });
      last = await publish(1);
      const published = performance.now();
      await until(
        'everybody to be woken',
        () => left.every(({ answered }) => answered()),
        60_000,
      );
      const times = left.map(({ at }) => at() - published);
      times.sort((a, b) => a - b);
      const p99 = times[Math.floor(times.length * 0.99)] ?? 0;
      expect(p99, 'woken').to.be.below(WAKE_MS);
      if (FULL) expect(await megabytes()).to.be.at.most(RSS_MB);
      for (const { socket } of left) socket.destroy();
      await until('nobody to wait', async () => (await waiting()) <= 20);
      console.log(`      p99 ${p99.toFixed(0)} ms, ${await megabytes()} MB`);
    }
    const faults = ROUNDS * WAITERS;
    await recordFaults({ test: 'D1', faults, acked: ROUNDS });
  });
});
