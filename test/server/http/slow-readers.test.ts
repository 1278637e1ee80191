import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { createHttpServer } from '../../../server/http/server.js';
import { until } from '../../support/until.js';

/** More than the system takes for a reader who takes nothing. */
const BYTES = 64 * 1024 * 1024;
const READERS = 5;

describe('readers who take nothing', () => {
  const answers: ServerResponse[] = [];
  const server = createHttpServer(
    (req, res) => {
      answers.push(res);
      res.end(req.url === '/long' ? Buffer.alloc(BYTES, 'a') : 'short');
    },
    {
      sendTimeout: 200,
      connectionsCheckingInterval: 50,
      keepAliveTimeout: 240_000, // however long the slow ones take
    },
  );

  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  after(() => {
    server.close();
    server.closeAllConnections();
  });

  async function ask(path: string): Promise<Socket> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.pause().on('error', () => {});
    await once(socket, 'connect');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    return socket;
  }

  /** How many bytes there still are to read. */
  async function rest(socket: Socket): Promise<number> {
    let bytes = 0;
    socket.on('data', (part: Buffer) => {
      bytes += part.length;
    });
    socket.resume();
    await once(socket, 'close');
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
    expect(Math.max(...most)).to.be.below(BYTES);
    // Of the first reader's connection nothing was taken away.
    idle.write('GET /short HTTP/1.1\r\nHost: a\r\n\r\n');
    await until('another answer', () => answers.length === READERS + 2);
    for (const socket of [idle, ...slow]) socket.destroy();
  });
});
