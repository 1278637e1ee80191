import pg, { type ClientBase } from 'pg';
import { applySettings } from './connection.sql.js';

/** Where PostgreSQL is: a URL, or the embedded server's socket folder. */
export type Connection =
  | { url: string }
  | { host: string; port: number; user: string; database: string };

export type SessionOptions = {
  /** Shown in pg_stat_activity. */
  name: string;
  /** For migrations, backups and sessions that wait: nothing ends by time. */
  patient?: boolean;
  /** Factor by which waits may last longer than on a node; default 1. */
  timeoutFactor?: number;
  /**
   * For statements that touch few rows by their keys: each is planned once per
   * connection, and by indexes. A plan is made by the first calls, when a new
   * board's tables are one page and cheaper read whole; minutes later the same
   * plan would read thousands (docs/decisions/013-typeorm-and-sessions.md).
   */
  byKeys?: boolean;
};

/** In ms: to connect, and for the first statement to be answered. */
export const CONNECT_MS = 2000;

/** What plans rely on, whatever server is behind the connection. */
const PLANS = {
  // Compiling takes longer than any statement of a board runs.
  jit: 'off',
  // The processes of one server are shared by all readers.
  max_parallel_workers_per_gather: 0,
};

/**
 * In seconds and times: a server ends the sessions of a machine that is gone
 * after 14 s, and with them the locks of its jobs and mirrors. By default that
 * takes it two hours.
 */
const KEEP_ALIVE = {
  tcp_keepalives_idle: 5,
  tcp_keepalives_interval: 3,
  tcp_keepalives_count: 3,
};

const PLANS_BY_KEYS = {
  enable_seqscan: 'off',
  plan_cache_mode: 'force_generic_plan',
};

const TIMEOUTS_MS = {
  statement_timeout: 5000,
  lock_timeout: 2000,
  idle_in_transaction_session_timeout: 5000,
};

function settingsOf(options: SessionOptions): [string, string | number][] {
  const { name, patient = false, timeoutFactor = 1, byKeys = false } = options;
  const factor = patient ? 0 : timeoutFactor; // 0 ms is no limit
  return [
    ['application_name', name],
    ...Object.entries(PLANS),
    ...Object.entries(KEEP_ALIVE),
    ...(byKeys ? Object.entries(PLANS_BY_KEYS) : []),
    ...Object.entries(TIMEOUTS_MS).map(([setting, ms]): [string, number] => [
      setting,
      ms * factor,
    ]),
  ];
}

/**
 * Makes a new connection what the node needs, in one round trip. By SET, as
 * connection poolers refuse such settings at the start of a connection
 * (spec/board.md §16.2). MUST be awaited before any other statement.
 */
export async function prepareSession(
  client: ClientBase,
  options: SessionOptions,
): Promise<void> {
  // The pool's limit on connecting ends before this.
  const timeoutMs = CONNECT_MS * (options.timeoutFactor ?? 1);
  await applySettings(client, settingsOf(options), timeoutMs);
}

/**
 * What pg would take from PG… variables, which are there for other programs
 * and say nothing of the embedded server. None is empty: pg takes that for not
 * given.
 */
export const EMBEDDED_ONLY = {
  ssl: false,
  sslnegotiation: 'postgres',
  options: ' ',
  replication: 'false',
  client_encoding: 'UTF8',
  application_name: 'reserve-board',
} as const;

/** Where pg connects to. */
export function addressOf(connection: Connection) {
  return 'url' in connection
    ? { connectionString: connection.url }
    : { ...connection, ...EMBEDDED_ONLY };
}

/**
 * A connection outside the pools that is kept; `end` tells when it is lost.
 *
 * @throws what pg throws when it cannot connect.
 */
export async function openSession(
  connection: Connection,
  name: string,
  timeoutFactor = 1,
): Promise<pg.Client> {
  const client = new pg.Client({
    ...addressOf(connection),
    connectionTimeoutMillis: CONNECT_MS * timeoutFactor,
    keepAlive: true,
  });
  client.on('error', () => {}); // `end` follows
  try {
    await client.connect();
    await prepareSession(client, { name, timeoutFactor, patient: true });
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}
