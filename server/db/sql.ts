import type { Client, Pool, PoolClient, QueryResultRow } from 'pg';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { commit, readOnly, rollBack, run } from './connection.sql.js';

/** Rows of the database: by entity, or one statement with `$1…` parameters. */
export interface Sql {
  /** TypeORM's repositories and query builder, on the same connection. */
  readonly manager: EntityManager;
  /** Runs one statement by hand and returns its rows. */
  query<Row extends QueryResultRow>(
    text: string,
    values?: readonly unknown[],
  ): Promise<Row[]>;
}

/** A statement inside an open transaction: writers take this first. */
export interface Tx extends Sql {
  readonly inTransaction: true;
}

/** `client` is the transaction's bare connection, for streams of rows. */
type Work<T> = (tx: Tx, client: PoolClient) => Promise<T>;

/** The database as features see it: single statements and transactions. */
export interface Database extends Sql {
  transaction<T>(work: Work<T>): Promise<T>;
  /** Reads the database as it is at one moment; writes nothing. */
  snapshot<T>(work: Work<T>): Promise<T>;
  /** A bare connection, for locks of a session; released afterwards. */
  withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T>;
}

const ignore = () => {};

/**
 * The database behind an initialised data source.
 *
 * @param ended called after each COMMIT, also when its answer was lost.
 */
export function database(
  source: DataSource,
  ended: () => void = ignore,
): Database {
  return {
    manager: source.manager,
    // Through pg: TypeORM names no statement, so each would be planned again.
    query: async <Row extends QueryResultRow>(
      text: string,
      values?: readonly unknown[],
    ) => {
      const pool: Pool = (source.driver as PostgresDriver).master;
      return await run<Row>(pool, text, values);
    },
    transaction: (work) => transact(source, work, { ended }),
    snapshot: (work) => transact(source, work, { isSnapshot: true }),
    withClient: (work) =>
      hold(source, async (_, client, keep) => {
        const result = await work(client);
        keep();
        return result;
      }),
  };
}

/**
 * Takes a connection for more than one statement. It is closed afterwards
 * unless `use` calls `keep`, so a broken one never goes back into the pool.
 */
async function hold<T>(
  source: DataSource,
  use: (
    runner: QueryRunner,
    client: PoolClient,
    keep: () => void,
  ) => Promise<T>,
): Promise<T> {
  const runner = source.createQueryRunner();
  const client: PoolClient = await runner.connect();
  let isGood = false;
  try {
    return await use(runner, client, () => {
      isGood = true;
    });
  } finally {
    if (!isGood) cutOff(client);
    await runner.release();
  }
}

async function transact<T>(
  source: DataSource,
  work: Work<T>,
  { isSnapshot = false, ended = ignore },
): Promise<T> {
  return await hold(source, async (runner, client, keep) => {
    let isOver = false;
    const tx: Tx = {
      inTransaction: true,
      manager: runner.manager,
      query: async (text, values) => {
        // After COMMIT or ROLLBACK it would run outside of any transaction.
        if (isOver) throw new Error('the transaction is over');
        return await run(client, text, values);
      },
    };
    // TypeORM has to know of the transaction: `save` opens its own otherwise.
    await runner.startTransaction(isSnapshot ? 'REPEATABLE READ' : undefined);
    let result: T;
    try {
      if (isSnapshot) await readOnly(client);
      result = await work(tx, client);
      isOver = true;
    } catch (error) {
      isOver = true;
      if (await rollBack(client)) keep();
      throw error;
    }
    try {
      await commit(client);
      keep();
      return result;
    } finally {
      ended();
    }
  });
}

/** Ends a connection at once, also under a statement; the pool drops it. */
export function cutOff(client: PoolClient): void {
  (client as unknown as Client).end().catch(ignore);
}

/**
 * A session that was ended, or whose connection broke: its last statement may
 * have happened or not, and another connection may well succeed.
 */
const CODES = /^(?:57P0[12]|ECONNRESET|EPIPE)$/;
const MESSAGES =
  /^(?:Connection terminated|Client has encountered a connection|Query runner already released)/;

/** Whether a statement or COMMIT was left without an answer. */
export function isConnectionLost(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return CODES.test(code ?? '') || MESSAGES.test(message ?? '');
}

/**
 * Runs work that counts once however often it runs. When its connection is
 * lost, on the way or at COMMIT, it runs again on another one and finds what the
 * first run did (spec/board.md §5.6); `lost` is then true. A second failure is
 * the caller's `503 unavailable`.
 */
export async function retryLostConnection<T>(
  work: (lost: boolean) => Promise<T>,
): Promise<T> {
  try {
    return await work(false);
  } catch (error) {
    if (!isConnectionLost(error)) throw error;
    return await work(true);
  }
}
