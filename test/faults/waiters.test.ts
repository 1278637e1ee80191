import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { FULL, within } from '../support/full.js';
import { until } from '../support/until.js';
import { draft, post, ticketFor } from '../support/wire.js';
import { givenNode, MANY_READS } from './given-node.js';
import { recordFaults, recordNotRun } from './report.js';

const WAITERS = FULL ? 10_000 : 500;
const ABRUPT = WAITERS / 5;
const ROUNDS = FULL ? 5 : 1;
/** Each wakes everybody, who then waits again. */
const PUBLISHES = FULL ? 4 : 5;
/** Sockets opened at a time: a listening queue is 511 long. */
const STEP = 250;
const RSS_MB = 400;
const WAKE_MS = within(2000);
const PUBLISH_MS = within(500);

type Waiter = {
  socket: Socket;
  ask: (since: number) => void;
  answered: () => boolean;
  at: () => number;
};

/** What 99 of 100 do not exceed; of few the slowest. */
function p99Of(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)] ?? 0;
}

describe('readers who wait', () => {
  const node = givenNode({ env: MANY_READS });
  before(() => publish(null));

  async function publish(replyTo: number | null) {
    const ticket = await ticketFor(node.url, draft(replyTo));
    const began = performance.now();
    const { body } = await post(node.url, '/write/publish', ticket);
    const at = performance.now();
    return { id: (body.message as { id: number }).id, at, ms: at - began };
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
    const ask = (from: number) => {
      text = '';
      at = 0;
      const lines = [
        `GET /api/updates?since=${from}&wait=25 HTTP/1.1`,
        ...['Host: board.test', `X-Forwarded-For: 10.7.${n >> 8}.${n & 255}`],
      ];
      socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    };
    ask(since);
    return {
      ...{ socket, ask },
      answered: () => /^HTTP\/1\.1 200 .*\r\n\r\n\{.*\}/s.test(text),
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
    let most = 0;
    const woken: number[] = [];
    const published: number[] = [];
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
      for (let nth = 0; nth < PUBLISHES; nth += 1) {
        if (nth > 0) for (const { ask } of left) ask(last);
        const { id, at, ms } = await publish(1);
        last = id;
        published.push(ms);
        await until('everybody to be woken', () =>
          left.every(({ answered }) => answered()),
        );
        woken.push(p99Of(left.map((one) => one.at() - at)));
        most = Math.max(most, await megabytes());
      }
      for (const { socket } of left) socket.destroy();
      await until('nobody to wait', async () => (await waiting()) <= 20);
    }
    const told = [p99Of(woken), p99Of(published), most].map(Math.round);
    console.log(
      `      woken p99 ${told[0]} ms, published p99 ${told[1]} ms, ${told[2]} MB`,
    );
    expect(p99Of(woken), 'woken').to.be.below(WAKE_MS);
    expect(p99Of(published), 'published').to.be.below(PUBLISH_MS);
    expect(most, 'megabytes').to.be.at.most(RSS_MB);
    const faults = ROUNDS * WAITERS;
    const acked = ROUNDS * PUBLISHES;
    await recordFaults({ test: 'D1', faults, acked });
  });
});
