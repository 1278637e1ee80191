import http from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  PeerClient,
  type PeerClientOptions,
} from '../../../mesh/pull/fetch/peer-client.js';

export type Handler = (
  req: http.IncomingMessage,
  res: http.ServerResponse,
) => void;

/** A server that answers as the test says, and clients that may reach it. */
export type Outbound = {
  base: string;
  /** The paths it was asked for. */
  hits: string[];
  handler: Handler;
  client(options?: Partial<PeerClientOptions>): PeerClient;
  stop(): Promise<void>;
};

export async function outbound(): Promise<Outbound> {
  const clients: PeerClient[] = [];
  const server = http.createServer((req, res) => {
    out.hits.push(req.url ?? '');
    out.handler(req, res);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const out: Outbound = {
    base: `http://127.0.0.1:${port}`,
    hits: [],
    handler: (_req, res) => res.end(),
    client: (options = {}) => {
      const open = { allowHttp: true, allowPrivate: true };
      const made = new PeerClient({ ...open, ...options });
      clients.push(made);
      return made;
    },
    stop: async () => {
      for (const one of clients) await one.close();
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  return out;
}
