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

/** How far each load begins behind the last one. */
const STEP = 700;
let begun = 0;

/**
 * Where each client of a load begins among what it asks for. The next load
 * begins elsewhere: else it would find what this one has left warm.
 */
export function placesOf(clients: number, of: number): number[] {
  begun += STEP;
  return Array.from(
    { length: clients },
    (_, n) => Math.floor((of / clients) * n) + begun,
  );
}

/** GETs as fast as the answers come; any status but 200 is a failure. */
export async function getLoad(load: GetLoad): Promise<LoadFigures> {
  const { ports, connections, seconds } = load;
  const requests = load.paths.map(getRequest);
  const places = placesOf(connections, requests.length);
  const open = await Promise.all(
    Array.from({ length: connections }, (_, n) =>
      Connection.open(ports[n % ports.length] ?? 0),
    ),
  );
  try {
    return await forSeconds(connections, seconds, async (n, tally, until) => {
      const connection = open[n];
      let at = places[n] ?? 0;
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
