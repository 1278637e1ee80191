import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way from one node to another that a partition cuts. */
export type Link = {
  url: string;
  /** Bytes that came back through it so far. */
  readonly received: number;
  /** The same by the path that was asked for, without its query. */
  readonly receivedOf: ReadonlyMap<string, number>;
  /**
   * `drop`: connections stay and nothing passes, as when packets are lost.
   * `cut`: they are broken, and nobody gets a new one.
   */
  partition(how: 'drop' | 'cut'): void;
  heal(): void;
  close(): Promise<void>;
};

/** Of a request that begins here: nobody asks twice at once in one socket. */
function pathOf(chunk: Buffer): string | undefined {
  return /^[A-Z]+ ([^ ?]+)/.exec(chunk.toString('latin1', 0, 200))?.[1];
}

/** A TCP proxy before a node, for one other node alone. */
export async function linkTo(target: string): Promise<Link> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let received = 0;
  const receivedOf = new Map<string, number>();
  let state: 'open' | 'drop' | 'cut' = 'open';

  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    if (state === 'drop') socket.pause();
    return socket;
  };
  const server = createServer((client) => {
    if (state === 'cut') {
      client.destroy();
      return;
    }
    const upstream = connect(Number(port), hostname);
    let asked = '';
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('data', (chunk: Buffer) => {
        if (from === upstream) {
          received += chunk.length;
          const before = receivedOf.get(asked) ?? 0;
          receivedOf.set(asked, before + chunk.length);
        } else asked = pathOf(chunk) ?? asked;
        if (!to.destroyed) to.write(chunk);
      });
      from.on('close', () => to.destroy());
      track(from);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    receivedOf,
    get received() {
      return received;
    },
    partition: (how) => {
      state = how;
      for (const socket of sockets) {
        if (how === 'drop') socket.pause();
        else socket.destroy();
      }
    },
    heal: () => {
      state = 'open';
      for (const socket of sockets) socket.resume();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
