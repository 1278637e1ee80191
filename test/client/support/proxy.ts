import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that went to the board, as the proxy saw it. */
export type Seen = { method: string; path: string; body: string };

/**
 * What happens to a request: it passes; its answer or the request itself is
 * cut off; the proxy answers in the board's place; the answer is changed.
 */
export type Fate =
  | 'pass'
  | 'lose-answer'
  | 'lose-request'
  | { status: number; text: string; headers?: Record<string, string> }
  | { change: (text: string) => string };

export type CuttingProxy = {
  url: string;
  seen: Seen[];
  /** Requests of a path, in order. */
  to(path: string): Seen[];
  close(): Promise<void>;
};

async function bodyOf(req: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of req) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

/** What happens to the first requests of one path; all others pass. */
export const fatesOf =
  (path: string, ...fates: Fate[]) =>
  (request: Seen, nth: number): Fate =>
    request.path === path ? (fates[nth] ?? 'pass') : 'pass';

/** A proxy before a board that does to each request what `fate` says. */
export async function cuttingProxy(
  target: string,
  fate: (request: Seen, nth: number) => Fate,
): Promise<CuttingProxy> {
  const seen: Seen[] = [];
  const server: Server = createServer((req, res) => {
    handle(req, res).catch(() => res.destroy());
  });

  async function handle(req: IncomingMessage, res: ServerResponse) {
    const { method = 'GET', url: path = '/' } = req;
    const request = { method, path, body: await bodyOf(req) };
    const nth = seen.filter((one) => one.path === path).length;
    seen.push(request);
    const what = fate(request, nth);
    if (what === 'lose-request') {
      res.destroy();
      return;
    }
    if (typeof what === 'object' && 'status' in what) {
      res.writeHead(what.status, what.headers).end(what.text);
      return;
    }
    const type = req.headers['content-type'];
    const answer = await fetch(`${target}${path}`, {
      method,
      headers: {
        'X-Forwarded-For': '203.0.113.1',
        ...(type === undefined ? {} : { 'Content-Type': type }),
      },
      ...(method === 'POST' ? { body: request.body } : {}),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (what === 'lose-answer') {
      res.destroy();
      return;
    }
    const after = answer.headers.get('Retry-After');
    res.writeHead(answer.status, after ? { 'Retry-After': after } : {});
    const changed = typeof what === 'object';
    res.end(changed ? what.change(bytes.toString('utf8')) : bytes);
  }

  // A failed test that leaves it open must not keep the run from ending.
  server.on('connection', (socket) => socket.unref()).unref();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    to: (path) => seen.filter((one) => one.path === path),
    close: async () => {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
