import pg, { type ClientBase, type Pool, type PoolConfig } from 'pg';
import {
  addressOf,
  CONNECT_MS,
  type Connection,
  prepareSession,
  type SessionOptions,
} from './session.js';

export type PoolOptions = Omit<SessionOptions, 'name'> & {
  max: number;
  /** Told of errors of idle connections, which pg would throw otherwise. */
  onPoolError: (error: Error) => void;
  /** Sends statements while earlier ones run; for none that stream rows. */
  pipeline?: boolean;
};

const QUERY_MS = 6000;

/** What pg knows and its types do not tell of. */
type Settings = PoolConfig & {
  pipeline: boolean;
  /** Waited for before anybody is given the connection. */
  onConnect: (client: ClientBase) => Promise<void>;
};

/**
 * How each connection of a pool behaves. Statements are capped in time so that
 * a lock or a lost server ends as 503 instead of a request that hangs
 * (spec/operators.md §R6.4).
 */
export function poolSettings(options: Omit<PoolOptions, 'onPoolError'>) {
  const { patient = false, patience = 1 } = options;
  return {
    max: options.max,
    connectionTimeoutMillis: CONNECT_MS * patience,
    ...(patient ? {} : { query_timeout: QUERY_MS * patience }),
    keepAlive: true,
    pipeline: options.pipeline ?? false,
    onConnect: (client) =>
      prepareSession(client, { ...options, name: 'reserve-board' }),
  } satisfies Settings;
}

/** A pool of connections; the first is made when it is asked for. */
export function createPool(connection: Connection, options: PoolOptions): Pool {
  pg.defaults.parseInt8 = true; // ids are numbers
  const pool = new pg.Pool({
    ...addressOf(connection),
    ...poolSettings(options),
  });
  // Unheard, one idle connection that dies would end the process.
  return pool.on('error', options.onPoolError);
}
