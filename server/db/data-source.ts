import 'reflect-metadata';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { entities } from './entities/index.js';
import { migrations } from './migrations/index.js';

/** Where PostgreSQL is: a URL, or the embedded server's socket folder. */
export type Connection =
  | { url: string }
  | { host: string; port: number; user: string; database: string };

export type PoolOptions = {
  max: number;
  /** Told of errors of idle connections, which pg would throw otherwise. */
  onPoolError: (error: Error) => void;
  /** For migrations and backups: no statement, lock or query timeout. */
  patient?: boolean;
  /** Stops at an older schema, for a backup of that time. */
  migrations?: typeof migrations;
  /** Factor by which waits may last longer than on a node; default 1. */
  patience?: number;
  /**
   * For statements that touch few rows by their keys. A plan is kept from the
   * first calls on a connection, when a new board's tables are one page and
   * cheaper read whole; minutes later the same plan reads thousands.
   */
  byKeys?: boolean;
  /** Sends statements while earlier ones run; for none that stream rows. */
  pipeline?: boolean;
};

const CONNECT_MS = 2000;
const timeouts = (patience: number) => ({
  query_timeout: 6000 * patience,
  statement_timeout: 5000 * patience,
  lock_timeout: 2000 * patience,
  idle_in_transaction_session_timeout: 5000 * patience,
});

/**
 * One connection pool. Statements are capped in time so that a lock or a lost
 * server ends as 503 instead of a request that hangs (reliability §6).
 */
export function createDataSource(
  connection: Connection,
  options: PoolOptions,
): DataSource {
  const { patient = false, patience = 1 } = options;
  return new DataSource({
    type: 'postgres',
    ...('url' in connection
      ? { url: connection.url }
      : {
          host: connection.host,
          port: connection.port,
          username: connection.user,
          database: connection.database,
        }),
    entities,
    migrations: options.migrations ?? migrations,
    migrationsTransactionMode: 'each',
    synchronize: false,
    installExtensions: false,
    parseInt8: true,
    poolErrorHandler: options.onPoolError,
    extra: {
      max: options.max,
      application_name: 'reserve-board',
      connectionTimeoutMillis: CONNECT_MS * patience,
      ...(patient ? {} : timeouts(patience)),
      ...(options.byKeys === true
        ? {
            options:
              '-c enable_seqscan=off -c plan_cache_mode=force_generic_plan',
          }
        : {}),
      keepAlive: true,
      pipeline: options.pipeline ?? false,
    },
  });
}

/** The pg pool behind an initialised data source, for hot SQL. */
export function poolOf(source: DataSource): Pool {
  const { master } = source.driver as unknown as { master: Pool };
  return master;
}
