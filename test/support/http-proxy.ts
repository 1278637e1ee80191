import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Serving, serving } from './serving.js';

export type Asked = { method: string; path: string; body: string };
export type Answer = {
  status: number;
  headers?: Record<string, string>;
  body: string;
};

/** What is answered in place of the honest answer; null hangs up. */
export type Instead<T = Asked> = (
  asked: T,
  honest: () => Promise<Answer>,
) => Promise<Answer | null> | Answer | null;

/** A proxy before a board, which gets these headers beside the type of a body. */
export async function httpProxy(
  board: string,
  instead: Instead,
  headers: Record<string, string> = {},
): Promise<Serving> {
  const server = createServer(async (req, res) => {
    const { method = 'GET', url: path = '/' } = req;
    const body = await text(req);
    const type = { 'Content-Type': req.headers['content-type'] ?? '' };
    const sent = method === 'POST' ? { body, headers: type } : {};
    const honest = async () => {
      const all = { ...headers, ...sent.headers };
      const init = { ...sent, method, headers: all };
      const answer = await fetch(`${board}${path}`, init);
      const told = ['content-type', 'retry-after'].flatMap((name) => {
        const value = answer.headers.get(name);
        return value === null ? [] : [[name, value]];
      });
      return {
        status: answer.status,
        headers: Object.fromEntries(told),
        body: Buffer.from(await answer.arrayBuffer()).toString('utf8'),
      };
    };
    const answer = await Promise.resolve({ method, path, body })
      .then((asked) => instead(asked, honest))
      .catch(() => null);
    if (answer === null) res.destroy();
    else res.writeHead(answer.status, answer.headers).end(answer.body);
  });
  // A failed test that leaves it open must not keep the run from ending.
  server.on('connection', (socket) => socket.unref()).unref();
  return await serving(server);
}
