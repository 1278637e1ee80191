import pg, { type Pool, type PoolConfig } from 'pg';

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

/** What pg knows and its types do not tell of. */
type Settings = PoolConfig & { pipeline: boolean };

/**
 * How each connection of a pool behaves. Statements are capped in time so that
 * a lock or a lost server ends as 503 instead of a request that hangs
 * (reliability §6).
 */
export function poolSettings(options: Omit<PoolOptions, 'onPoolError'>) {
  const { patient = false, patience = 1 } = options;
  return {
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
  } satisfies Settings;
}

/** A pool of connections; the first is made when it is asked for. */
export function createPool(connection: Connection, options: PoolOptions): Pool {
  pg.defaults.parseInt8 = true; // ids are numbers
  const pool = new pg.Pool({
    ...('url' in connection
      ? { connectionString: connection.url }
      : connection),
    ...poolSettings(options),
  });
  // Unheard, one idle connection that dies would end the process.
  return pool.on('error', options.onPoolError);
}
