import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import { createHttpServer } from '../../../server/http/edge/server.js';
import { until } from '../../support/until.js';
import { forSuite, rawGet } from './harness.js';

const MB = 1024 * 1024;
/** The longest is more than the system takes for a reader who takes nothing. */
const LONG = 64 * MB;
const BYTES: Record<string, number> = {
  '/short': 5,
  '/middling': MB,
  '/long': LONG,
};
const READERS = 5;
const ASKED = 60;

describe('readers who take nothing', () => {
  const answers: ServerResponse[] = [];
  const server = createHttpServer(
    (req, res) => {
      answers.push(res);
      res.end(Buffer.alloc(BYTES[req.url ?? ''] ?? 0, 'a'));
    },
    {
      sendTimeout: 200,
      connectionsCheckingInterval: 50,
      keepAliveTimeout: 240_000, // however long the slow ones take
    },
  );

  const open = forSuite(server);

  beforeEach(() => {
    answers.length = 0;
  });

  async function ask(path: string, times = 1): Promise<Socket> {
    const { socket } = await open();
    socket.removeAllListeners('data').pause();
    socket.write(rawGet(path).repeat(times));
    return socket;
  }

  /** How many bytes there still are to read. */
  async function rest(socket: Socket): Promise<number> {
    let bytes = 0;
    socket.on('data', (part: Buffer) => {
      bytes += part.length;
    });
    // From Node 24 on a connection that is let go ends as one that was reset.
    socket.on('error', () => {}).resume();
    await new Promise((resolve) => socket.once('close', resolve));
    return bytes;
  }

  it('are let go with what waited for them, and nobody else', async () => {
    const idle = await ask('/short');
    const slow = await Promise.all(
      Array.from({ length: READERS }, () => ask('/long')),
    );
    await until('all are answered', () => answers.length === READERS + 1);
    const long = answers.filter(({ req }) => req.url === '/long');
    await until('they are let go', () => long.every((res) => res.destroyed));
    const most = await Promise.all(slow.map(rest));
    expect(Math.max(...most)).to.be.below(LONG);
    // Of the first reader's connection nothing was taken away.
    idle.write('GET /short HTTP/1.1\r\nHost: a\r\n\r\n');
    await until('another answer', () => answers.length === READERS + 2);
    for (const socket of [idle, ...slow]) socket.destroy();
  });

  it('have no more time for many answers asked for at once', async () => {
    const socket = await ask('/middling', ASKED);
    let taken = 0;
    socket.on('data', (part: Buffer) => {
      taken += part.length;
      if (taken >= MB) socket.pause();
    });
    // Each of them well in time, all of them thirty times too late.
    const timer = setInterval(() => {
      taken = 0;
      socket.resume();
    }, 100);
    await until('it is let go', () => socket.destroyed);
    clearInterval(timer);
    expect(answers.length).to.be.below(ASKED);
  });
});
