import http from 'node:http';
import {
  PeerClient,
  type PeerClientOptions,
} from '../../../mesh/pull/fetch/peer-client.js';
import { serving } from '../../support/serving.js';

export type Handler = (
  req: http.IncomingMessage,
  res: http.ServerResponse,
) => void;

export type Outbound = {
  base: string;
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
  const { url, stop } = await serving(server);
  const out: Outbound = {
    base: url,
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
      await stop();
    },
  };
  return out;
}
