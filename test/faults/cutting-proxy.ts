import {
  type AddressInfo,
  connect,
  createServer,
  type Server,
  type Socket,
} from 'node:net';

/** The simple query `COMMIT` as the protocol carries it. */
const COMMIT = Buffer.concat([
  Buffer.from('Q'),
  Buffer.from([0, 0, 0, 11]),
  Buffer.from('COMMIT\0'),
]);

/**
 * What becomes of the next COMMIT and of its connection:
 * - `answer`: it is done, and its answer is destroyed with the connection;
 * - `request`: the connection is destroyed before the server hears of it;
 * - `late`: the connection is destroyed and the server hears of it afterwards.
 *
 * With `deaf` every other connection goes too, and nobody gets in again.
 */
export type Cut = 'answer' | 'request' | 'late';

export type CuttingProxy = {
  url: string;
  /** Cuts the next COMMIT, or the next request that holds these bytes. */
  cutNext(cut: Cut, options?: { deaf?: boolean; at?: Buffer }): void;
  hear(): void;
  cuts(): number;
  close(): Promise<void>;
};

type Pair = { client: Socket; server: Socket };

const LATE_MS = 300;

/** Stands between a board and its PostgreSQL and loses what it is told to. */
export async function cuttingProxy(databaseUrl: string): Promise<CuttingProxy> {
  const upstream = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let next: { cut: Cut; deaf: boolean; at: Buffer } | null = null;
  let deaf = false;
  let cuts = 0;

  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };

  const cut = (how: NonNullable<typeof next>, commit: Buffer, pair: Pair) => {
    const { client, server } = pair;
    next = null;
    cuts += 1;
    const over = () => {
      client.destroy();
      server.destroy();
      deaf = how.deaf;
      if (deaf) for (const socket of sockets) socket.destroy();
    };
    const forward = () => {
      server.removeAllListeners('data').once('data', over);
      server.write(commit);
    };
    if (how.cut === 'request') over();
    else if (how.cut === 'answer') forward();
    else {
      // The server outlives its client until it has heard.
      client.removeAllListeners('close').destroy();
      setTimeout(forward, LATE_MS);
    }
  };

  const proxy: Server = createServer((client) => {
    track(client);
    if (deaf) {
      client.destroy();
      return;
    }
    const server = track(connectTo(upstream));
    client.on('data', (chunk: Buffer) => {
      if (next !== null && chunk.includes(next.at)) {
        cut(next, chunk, { client, server });
      } else server.write(chunk);
    });
    server.on('data', (chunk: Buffer) => client.write(chunk));
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  const { username, password, pathname } = upstream;
  const secret = password === '' ? '' : `:${password}`;
  return {
    url: `postgresql://${username}${secret}@127.0.0.1:${port}${pathname}`,
    cutNext: (how, options = {}) => {
      const { deaf: all = false, at = COMMIT } = options;
      next = { cut: how, deaf: all, at };
    },
    hear: () => {
      deaf = false;
    },
    cuts: () => cuts,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

function connectTo(url: URL): Socket {
  const folder = url.searchParams.get('host');
  const port = Number(url.port || 5432);
  return folder?.startsWith('/')
    ? connect(`${folder}/.s.PGSQL.${port}`)
    : connect(port, url.hostname);
}
