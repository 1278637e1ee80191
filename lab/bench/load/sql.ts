import pg from 'pg';
import { forSeconds, type LoadFigures } from './figures.js';
import { placesOf } from './get.js';

export type SqlLoad = {
  kind: 'sql';
  url: string;
  statement: string;
  /** Parameters of the runs, one after the other and again. */
  values: unknown[][];
  connections: number;
  seconds: number;
};

/** One prepared statement over and over, on so many connections. */
export async function sqlLoad(load: SqlLoad): Promise<LoadFigures> {
  const { url, statement, values, connections, seconds } = load;
  const clients = Array.from(
    { length: connections },
    () => new pg.Client({ connectionString: url }),
  );
  const places = placesOf(connections, values.length);
  await Promise.all(clients.map((client) => client.connect()));
  try {
    return await forSeconds(connections, seconds, async (n, tally, until) => {
      let at = places[n] ?? 0;
      let now = performance.now();
      while (now < until) {
        await clients[n]?.query({
          name: 'load',
          text: statement,
          values: values[at++ % values.length] ?? [],
        });
        const begun = now;
        now = performance.now();
        tally.add(now - begun);
      }
    });
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}
