import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import type {
  Pool,
  PoolClient,
  QueryConfig,
  QueryResult,
  QueryResultRow,
} from 'pg';
import { noteCommit, noteStatement } from './revision.js';

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

/**
 * Waits for statements of one transaction that were sent one behind the other,
 * and throws what the first that failed threw when the last has ended: nothing
 * may follow a ROLLBACK on its connection.
 */
export async function together<T extends readonly unknown[]>(
  statements: readonly [...T],
): Promise<{ [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(statements);
  return await Promise.all(statements);
}

/** A connection, or a pool of them. */
type Asked = {
  query<Row extends QueryResultRow>(
    statement: QueryConfig,
  ): Promise<QueryResult<Row>>;
};

export async function run<Row extends QueryResultRow>(
  client: Asked,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  try {
    const result = await client.query<Row>({
      name: statementName(text),
      text,
      values: values as unknown[],
    });
    return result.rows;
  } finally {
    noteStatement(client, text);
  }
}

/** A connection taken from the pool for more than one statement. */
export type Held = {
  client: PoolClient;
  /** Gives it back; a broken one is closed instead. */
  release(broken: boolean): void;
};

const ignore = () => {};

/**
 * Takes a connection. The pool stops listening for the errors of one it hands
 * out, and a connection that dies between two statements would then end the
 * process; the next statement on it fails in any case. A promise would listen
 * too late: the server's last words can arrive in one packet with its first.
 */
export function hold(pool: Pool): Promise<Held> {
  return new Promise((resolve, reject) => {
    pool.connect((error, client) => {
      if (client === undefined) {
        reject(error ?? new Error('the pool gave no connection'));
        return;
      }
      client.on('error', ignore);
      resolve({
        client,
        release: (broken) => {
          client.off('error', ignore);
          client.release(broken);
        },
      });
    });
  });
}

/**
 * COMMIT, and an error unless it happened: of a transaction that failed
 * before, PostgreSQL answers COMMIT with ROLLBACK and calls it a success.
 */
export async function commit(client: PoolClient): Promise<void> {
  try {
    const { command } = await client.query('COMMIT');
    if (command !== 'COMMIT') throw new Error('the transaction had failed');
  } finally {
    noteCommit(client);
  }
}

/** Wraps a pg pool. A failed ROLLBACK destroys the connection. */
export function database(pool: Pool): Database {
  return {
    async query<Row extends QueryResultRow>(
      text: string,
      values?: readonly unknown[],
    ) {
      return await run<Row>(pool, text, values);
    },
    async transaction(work) {
      const { client, release } = await hold(pool);
      let broken = false;
      try {
        const begun = client.query('BEGIN');
        begun.catch(ignore); // waited for below, unless the work fails first
        const result = await work(transactionOf(client, begun));
        await begun;
        await commit(client);
        return result;
      } catch (error) {
        broken = !(await rolledBack(client));
        throw error;
      } finally {
        release(broken);
      }
    },
    async withClient(work) {
      const { client, release } = await hold(pool);
      const wired = client as Wired;
      const { pipeline } = wired;
      let broken = true;
      try {
        // A stream of rows cannot share its connection with what comes behind.
        wired.pipeline = false;
        const result = await work(client);
        broken = false;
        return result;
      } finally {
        wired.pipeline = pipeline;
        release(broken);
      }
    },
  };
}

/** What pg keeps to itself of a connection. */
type Wired = {
  pipeline?: boolean | undefined;
  connection?: {
    stream?: Partial<Pick<Writable, 'cork' | 'uncork' | 'destroy'>>;
  };
};

/** Ends a connection at once: all that wait for its answers fail. */
export function cutOff(client: PoolClient): void {
  (client as Wired).connection?.stream?.destroy?.();
}

/** Lets all that is asked for in this turn of the loop leave in one packet. */
export function packing(client: PoolClient): () => void {
  const { stream } = (client as Wired).connection ?? {};
  let held = false;
  return () => {
    if (held) return;
    held = true;
    stream?.cork?.();
    process.nextTick(() => {
      held = false;
      stream?.uncork?.();
    });
  };
}

/** `in_failed_sql_transaction`: an earlier statement is to blame. */
const isConsequence = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === '25P02';

/**
 * The statements of a transaction, in the order in which they are asked for.
 * They can be asked for before earlier ones were answered; where the connection
 * is no pipeline they wait here instead. Those behind one that failed throw what
 * it threw: whoever waits for any of them learns why.
 *
 * @param begun the answer to BEGIN: if that fails, so do all.
 */
export function transactionOf(
  client: PoolClient,
  begun: Promise<unknown> = Promise.resolve(),
): Tx {
  const { pipeline = false } = client as Wired;
  const pack = packing(client);
  let last = begun;
  let cause: unknown = null;
  const ask = async <Row extends QueryResultRow>(
    text: string,
    values?: readonly unknown[],
  ) => {
    try {
      return await run<Row>(client, text, values);
    } catch (error) {
      cause ??= error;
      throw isConsequence(error) ? cause : error;
    }
  };
  return {
    inTransaction: true,
    query: async <Row extends QueryResultRow>(
      text: string,
      values?: readonly unknown[],
    ) => {
      if (pipeline) pack();
      const asked = pipeline
        ? ask<Row>(text, values)
        : last.then(() => ask<Row>(text, values));
      last = asked.catch(ignore);
      await begun;
      return await asked;
    },
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
