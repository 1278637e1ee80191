import type { Client, PoolClient, QueryResultRow } from 'pg';
import type { EntityManager } from 'typeorm';

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
export type Work<T> = (tx: Tx, client: PoolClient) => Promise<T>;

/** The database as features see it: single statements and transactions. */
export interface Database extends Sql {
  /** @param isShown false where public reads show nothing of what it writes. */
  transaction<T>(work: Work<T>, isShown?: boolean): Promise<T>;
  /** Reads the database as it is at one moment; writes nothing. */
  snapshot<T>(work: Work<T>): Promise<T>;
  /** A bare connection, for locks of a session; released afterwards. */
  withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T>;
}

/** Ends a connection at once, also under a statement; the pool drops it. */
export function cutOff(client: PoolClient): void {
  (client as unknown as Client).end().catch(() => {});
}

/**
 * A session that was ended, whose connection broke, or whose server became a
 * standby: its last statement may have happened or not, and another connection
 * may well succeed.
 */
const CODES = /^(?:25006|57P0[12]|ECONNRESET|EPIPE)$/;
const MESSAGES =
  /^(?:Connection terminated|Client has encountered a connection|Query runner already released)/;

/** Whether another connection has to be taken for a statement or COMMIT. */
export function isConnectionLost(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return CODES.test(code ?? '') || MESSAGES.test(message ?? '');
}

/** Serialization failure, deadlock, lock time-out (spec/operators.md §R7.2). */
const TRANSIENT = /^(?:40001|40P01|55P03)$/;
const TRIES = 3;

/** Whether the database ended a transaction in favour of another one. */
export function isTransient(error: unknown): boolean {
  return TRANSIENT.test((error as { code?: string }).code ?? '');
}

/** Runs a transaction again, twice at most, that ended in favour of another. */
export async function retryTransient<T>(
  db: Database,
  work: Work<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction(work);
    } catch (error) {
      if (tries === TRIES || !isTransient(error)) throw error;
    }
  }
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
