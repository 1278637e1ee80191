import { Connection } from './connection.js';
import { forSeconds, type LoadFigures, walks } from './figures.js';

export type GetLoad = {
  kind: 'get';
  /** Connections are shared among the boards. */
  ports: number[];
  /** Asked in this order, each connection from a place of its own. */
  paths: string[];
  connections: number;
  seconds: number;
  /** All begin at the first, so that they ask for the same together. */
  isTogether?: true;
};

export function getRequest(path: string, more = ''): Buffer {
  return Buffer.from(
    `GET ${path} HTTP/1.1\r\nHost: board.bench\r\n${more}\r\n`,
  );
}

function inOrder<T>(things: readonly T[]): () => T {
  let at = 0;
  return () => things[at++ % things.length] as T;
}

/** GETs as fast as the answers come; any status but 200 is a failure. */
export function getLoad(load: GetLoad): Promise<LoadFigures> {
  const { ports, paths, connections, seconds, isTogether } = load;
  const asked = paths.map((path) => getRequest(path));
  const requests = isTogether
    ? Array.from({ length: connections }, () => inOrder(asked))
    : walks(asked, connections);
  return forSeconds(seconds, connections, async (n) => {
    const connection = await Connection.open(ports[n % ports.length] ?? 0);
    const request = requests[n] as () => Buffer;
    return {
      next: async () => (await connection.request(request())).status === 200,
      close: () => connection.close(),
    };
  });
}
