import pg from 'pg';
import { forSeconds, type LoadFigures, walks } from './figures.js';

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
export function sqlLoad(load: SqlLoad): Promise<LoadFigures> {
  const { url, statement, connections, seconds } = load;
  const parameters = walks(load.values, connections);
  return forSeconds(seconds, connections, async (n) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return {
      next: async () => {
        const values = parameters[n]?.() ?? [];
        await client.query({ name: 'load', text: statement, values });
        return true;
      },
      close: () => client.end(),
    };
  });
}
