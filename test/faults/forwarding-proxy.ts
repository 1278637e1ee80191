import { createServer, request } from 'node:http';
import { type Serving, serving } from '../support/serving.js';

/** Whether X-Forwarded-For is written anew, or what came is kept before it. */
export type Mode = 'overwrites' | 'appends';

/**
 * A reverse proxy before a board, which does to the headers that matter here
 * what proxies do; proxies.test.ts has those of deploy/ themselves.
 */
export async function startProxy(
  upstream: string,
  mode: Mode,
): Promise<Serving> {
  const server = createServer((req, res) => {
    const client = req.socket.remoteAddress ?? '';
    const given = req.headers['x-forwarded-for'];
    const chain = [given ?? []].flat().join(', ');
    const forwarded =
      mode === 'appends' && chain !== '' ? `${chain}, ${client}` : client;
    const headers = { ...req.headers, 'x-forwarded-for': forwarded };
    const { method = 'GET', url = '/' } = req;
    const asked = request(
      `${upstream}${url}`,
      { method, headers },
      (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(res);
      },
    );
    asked.on('error', () => res.destroy());
    req.pipe(asked);
  });
  return await serving(server);
}
