import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';

export type Serving = { url: string; port: number; stop(): Promise<void> };

/** Lets a server of HTTP or TCP listen on a free port; `stop` breaks all connections. */
export async function serving(
  server: Server,
  host = '127.0.0.1',
  wanted = 0,
): Promise<Serving> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await once(server.listen(wanted, host), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}`,
    port,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
