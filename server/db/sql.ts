import { createHash } from 'node:crypto';
import type { Pool, PoolClient, QueryResultRow } from 'pg';

/** Runs one SQL statement with `$1…` parameters and gives its rows. */
export interface Sql {
  query<Row extends QueryResultRow>(
    text: string,
    values?: readonly unknown[],
  ): Promise<Row[]>;
}

/** A statement inside an open transaction: writers take this first. */
export interface Tx extends Sql {
  readonly inTransaction: true;
}

/** The database as slices see it: single statements and transactions. */
export interface Database extends Sql {
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Long streams of rows need the bare client; it is released afterwards. */
  withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T>;
}

const names = new Map<string, string>();

/** Named statements are planned once per connection, not once per call. */
function statementName(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('hex').slice(0, 32);
    names.set(text, name);
  }
  return name;
}

export async function run<Row extends QueryResultRow>(
  client: Pick<PoolClient, 'query'>,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const result = await client.query<Row>({
    name: statementName(text),
    text,
    values: values as unknown[],
  });
  return result.rows;
}

/** Wraps a pg pool. A failed ROLLBACK destroys the connection. */
export function database(pool: Pool): Database {
  return {
    async query<Row extends QueryResultRow>(
      text: string,
      values?: readonly unknown[],
    ) {
      return await run<Row>(pool as unknown as PoolClient, text, values);
    },
    async transaction(work) {
      const client = await pool.connect();
      let broken = false;
      try {
        await client.query('BEGIN');
        const result = await work(transactionOf(client));
        await client.query('COMMIT');
        return result;
      } catch (error) {
        broken = !(await rolledBack(client));
        throw error;
      } finally {
        client.release(broken);
      }
    },
    async withClient(work) {
      const client = await pool.connect();
      try {
        return await work(client);
      } finally {
        client.release();
      }
    },
  };
}

export function transactionOf(client: PoolClient): Tx {
  return {
    inTransaction: true,
    query: (text, values) => run(client, text, values),
  };
}

export async function rolledBack(client: PoolClient): Promise<boolean> {
  try {
    await client.query('ROLLBACK');
    return true;
  } catch {
    return false;
  }
}
