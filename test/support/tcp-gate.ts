import net from 'node:net';
import { serving } from './serving.js';

export type TcpGate = {
  url: string;
  readonly hits: number;
  /** Holds everything back, as a network does that was cut. */
  hold(): void;
  pass(): void;
  cut(): void;
  leadTo(url: string): void;
  stop(): Promise<void>;
};

type Ear = { asked(bytes: Buffer): void; answered(bytes: Buffer): void };

export async function startTcpGate(
  of: string,
  ear?: () => Ear,
): Promise<TcpGate> {
  let upstream = new URL(of);
  let hits = 0;
  const sockets = new Set<net.Socket>();
  let isHeld = false;
  const keep = (socket: net.Socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
    sockets.add(socket);
    if (isHeld) socket.pause();
    return socket;
  };
  const server = net.createServer({ allowHalfOpen: false }, (client) => {
    hits += 1;
    const heard = ear?.();
    const there = { host: upstream.hostname, port: Number(upstream.port) };
    const behind = keep(net.connect(there));
    keep(client).on('data', (bytes: Buffer) => {
      heard?.asked(bytes);
      behind.write(bytes);
    });
    behind.on('data', (bytes: Buffer) => {
      heard?.answered(bytes);
      client.write(bytes);
    });
    client.once('close', () => behind.destroy());
    behind.once('close', () => client.destroy());
    if (isHeld) for (const one of [client, behind]) one.pause();
  });
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const { port, stop } = await serving(server);
  return {
    url: of.replace(upstream.host, `127.0.0.1:${port}`),
    get hits() {
      return hits;
    },
    hold: () => {
      isHeld = true;
      for (const socket of sockets) socket.pause();
    },
    pass: () => {
      isHeld = false;
      for (const socket of sockets) socket.resume();
    },
    cut,
    leadTo: (other) => {
      upstream = new URL(other);
      cut();
    },
    stop: async () => {
      cut();
      await stop();
    },
  };
}
