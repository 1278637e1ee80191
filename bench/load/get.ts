import { Connection } from './connection.js';
import { forSeconds, type LoadFigures } from './figures.js';

export type GetLoad = {
  kind: 'get';
  /** Connections are shared among the boards. */
  ports: number[];
  /** Asked in this order, each connection from a place of its own. */
  paths: string[];
  connections: number;
  seconds: number;
};

export function getRequest(path: string): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: board.bench\r\n\r\n`);
}

/** GETs as fast as the answers come; any status but 200 is a failure. */
export async function getLoad(load: GetLoad): Promise<LoadFigures> {
  const { ports, connections, seconds } = load;
  const requests = load.paths.map(getRequest);
  const open = await Promise.all(
    Array.from({ length: connections }, (_, n) =>
      Connection.open(ports[n % ports.length] ?? 0),
    ),
  );
  try {
    return await forSeconds(connections, seconds, async (n, tally, until) => {
      const connection = open[n];
      let at = Math.floor((requests.length / connections) * n);
      let now = performance.now();
      while (now < until) {
        const request = requests[at++ % requests.length];
        if (connection === undefined || request === undefined) return;
        const { status, bytes } = await connection.request(request);
        const begun = now;
        now = performance.now();
        if (status === 200) tally.add(now - begun, bytes);
        else tally.fail();
      }
    });
  } finally {
    for (const connection of open) connection.close();
  }
}
