import type { Duplex } from 'node:stream';
import type { Client, PoolClient, QueryResultRow } from 'pg';
import type { EntityManager } from 'typeorm';

/** Rows by entity, or one statement with `$1…` parameters. */
export interface Sql {
  /** TypeORM's repositories and query builder, on the same connection. */
  readonly manager: EntityManager;
  query<Row extends QueryResultRow>(
    text: string,
    values?: readonly unknown[],
  ): Promise<Row[]>;
}

/** An open transaction: writers take it as their first parameter. */
export interface Tx extends Sql {
  readonly inTransaction: true;
  /** An eager one awaits it with its first statements, before any other. */
  readonly begun: Promise<void>;
  /**
   * Of an eager one, sends `send` in one trip with COMMIT. Nothing may have been
   * written before: a statement that could not be sent would be missing from it.
   */
  readonly withCommit: ((send: () => Promise<unknown>) => void) | null;
}

/** `client` is the bare connection, for streams of rows. */
export type Work<T> = (tx: Tx, client: PoolClient) => Promise<T>;

export type Roots = () => readonly number[] | null;

export interface Database extends Sql {
  /**
   * @param shown false where public reads show nothing of it, or after COMMIT
   *   the `roots` of `raiseRevision`; else anything may have changed
   * @param isEager sends its first statements with its start
   */
  transaction<T>(
    work: Work<T>,
    shown?: false | Roots,
    isEager?: boolean,
  ): Promise<T>;
  /** Reads the database as it is at one moment; writes nothing. */
  snapshot<T>(work: Work<T>): Promise<T>;
  /** A bare connection, for locks of a session; released afterwards. */
  withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T>;
}

/** For `unnest`: the values of each column. */
export function arraysOf<Row>(
  rows: readonly Row[],
  ...columns: readonly (keyof Row)[]
): unknown[][] {
  return columns.map((column) => rows.map((row) => row[column]));
}

/** Of a statement that gives exactly one row. */
export function only<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('a one-row statement gave none');
  return row;
}

type Inside = Client & {
  pipeline: boolean;
  connection: { stream: Duplex };
};

/**
 * From now on statements wait for no answers, and those of this turn go out in
 * one packet.
 * @returns ends it, once all is answered
 */
export function sendTogether(client: PoolClient): () => void {
  const inside = client as unknown as Inside;
  const { stream } = inside.connection;
  inside.pipeline = true;
  stream.cork();
  process.nextTick(() => stream.uncork());
  return () => {
    inside.pipeline = false;
  };
}

/** Also under a running statement; the pool drops the connection. */
export function cutOff(client: PoolClient): void {
  const inside = client as unknown as Inside;
  inside.end().catch(() => {});
  // There it would wait for the answers of all that was sent.
  if (inside.pipeline) inside.connection.stream.destroy();
}

/** The statement may have happened or not. */
const CODES = /^(?:25006|57P0[12]|ECONNRESET|EPIPE)$/;
const MESSAGES =
  /^(?:Connection terminated|Client has encountered a connection|Query runner already released)/;

export function isConnectionLost(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return CODES.test(String(code)) || MESSAGES.test(String(message));
}

/** Serialization failure, deadlock, lock time-out (spec/operators.md §R7.2). */
const TRANSIENT = /^(?:40001|40P01|55P03)$/;
const TRIES = 3;

/** The database ended the transaction in favour of another one. */
export function isTransient(error: unknown): boolean {
  return TRANSIENT.test((error as { code?: string }).code ?? '');
}

/** At most two retries. */
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
 * Runs idempotent work again when its connection was lost; `lost` is then true
 * (spec/board.md §5.6). A second failure is the caller's 503.
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
