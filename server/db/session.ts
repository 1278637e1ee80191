import pg, { type ClientBase } from 'pg';
import { applySettings } from './connection.sql.js';

export type Connection =
  | { url: string }
  | { host: string; port: number; user: string; database: string };

export type SessionOptions = {
  /** Shown in pg_stat_activity. */
  name: string;
  /** No time limits: for migrations, backups and sessions that wait. */
  patient?: boolean;
  /** Multiplies waits; default 1. */
  timeoutFactor?: number;
  /**
   * For statements that touch few rows by key: plans use indexes. A plan made
   * while tables were one page would later read thousands of rows
   * (docs/decisions/013-typeorm-and-sessions.md).
   */
  byKeys?: boolean;
};

/** In ms: to connect, and for the first statement to be answered. */
export const CONNECT_MS = 2000;

const PLANS = {
  // Compiling takes longer than any statement of a board runs.
  jit: 'off',
  // All readers share the processes of one server.
  max_parallel_workers_per_gather: 0,
};

/** In seconds: by default a lost machine's locks stay for two hours. */
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
 * MUST be awaited before any other statement. By SET, as poolers refuse such
 * settings at connect (spec/board.md §16.2).
 */
export async function prepareSession(
  client: ClientBase,
  options: SessionOptions,
): Promise<void> {
  // The pool's limit on connecting ends before this.
  const timeoutMs = CONNECT_MS * (options.timeoutFactor ?? 1);
  await applySettings(client, settingsOf(options), timeoutMs);
}

/** Keeps PG… variables away; none is empty, as pg ignores empty values. */
export const EMBEDDED_ONLY = {
  ssl: false,
  sslnegotiation: 'postgres',
  options: ' ',
  replication: 'false',
  client_encoding: 'UTF8',
  application_name: 'reserve-board',
} as const;

export function addressOf(connection: Connection) {
  return 'url' in connection
    ? { connectionString: connection.url }
    : { ...connection, ...EMBEDDED_ONLY };
}

/**
 * A connection outside the pools; `end` tells when it is lost.
 * @throws what pg throws when it cannot connect
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
