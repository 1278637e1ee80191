import type { Client } from 'pg';
import {
  backendOf,
  type ServerRow,
  serverSettings,
  tablesWithoutRights,
} from './connection.sql.js';
import { connectionProblem, DatabaseProblem } from './problem.js';
import { type Connection, openSession } from './session.js';
import type { Sql } from './sql.js';

const OLDEST = 150_000;
const DURABILITY = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;

export type ServerFacts = { version: string; faults: string[] };

/** What receipts depend on (spec/board.md §14.3). */
export async function serverFacts(sql: Sql): Promise<ServerFacts> {
  const row = await serverSettings(sql);
  return { version: row.version, faults: faultsOf(row) };
}

function faultsOf(row: ServerRow): string[] {
  const faults = DURABILITY.filter((name) => row[name] === 'off').map(
    (name) =>
      `The database has ${name} off, so a published message could be lost; set ${name} = on in postgresql.conf and reload it (for a role or database: ALTER ROLE … RESET ${name}).`,
  );
  if (row.number < OLDEST) {
    faults.push(
      `The database is PostgreSQL ${row.version}; this board needs 15 or newer.`,
    );
  }
  if (row.encoding !== 'UTF8') {
    faults.push(
      `The database is encoded in ${row.encoding}; create it with ENCODING 'UTF8' TEMPLATE template0.`,
    );
  }
  if (row.standby) {
    faults.push(
      'DATABASE_URL names a standby, which cannot be written; name the primary (standbys go into DATABASE_REPLICA_URLS).',
    );
  }
  return faults;
}

/** @throws DatabaseProblem with every fault, one a line. */
export async function assertServer(sql: Sql): Promise<void> {
  const { faults } = await serverFacts(sql);
  if (faults.length > 0) throw new DatabaseProblem(faults.join('\n'));
}

/**
 * For a role that does not own the tables (deploy/roles.sql).
 * @throws DatabaseProblem
 */
export async function assertRights(sql: Sql): Promise<void> {
  const [first, ...others] = await tablesWithoutRights(sql);
  if (first === undefined) return;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  throw new DatabaseProblem(
    `The role of DATABASE_URL may not read and write the table ${first}${more}; run deploy/roles.sql in that database as its owner or a superuser, or name the owner in DATABASE_URL.`,
  );
}

/** A pooler may have several processes: of four connections, two share one. */
const CONNECTIONS = 4;
/** A pooler that rotates its sessions gives another one each time. */
const TIMES = 2;

const REFUSAL =
  'DATABASE_URL leads to a connection pooler in transaction mode, where connections share sessions and lose what they hold; name PostgreSQL itself in DATABASE_URL, or set the pooler to session mode (PgBouncer: pool_mode = session).';

/**
 * Refuses a pooler that gives connections no session of their own: locks,
 * notifications and prepared statements would be lost or shared (spec/board.md
 * §16.2).
 * @throws DatabaseProblem
 */
export async function assertOwnSessions(
  connection: Connection,
  timeoutFactor = 1,
): Promise<void> {
  const opened = await Promise.allSettled(
    Array.from({ length: CONNECTIONS }, () =>
      openSession(connection, 'reserve-board start', timeoutFactor),
    ),
  );
  const clients = opened.flatMap((one) =>
    one.status === 'fulfilled' ? [one.value] : [],
  );
  try {
    for (const one of opened) if (one.status === 'rejected') throw one.reason;
    if (await doShare(clients)) throw new DatabaseProblem(REFUSAL);
  } catch (error) {
    throw connectionProblem(error);
  } finally {
    await Promise.allSettled(clients.map((client) => client.end()));
  }
}

/** One after the other: a session that one leaves is given to the next. */
async function doShare(clients: readonly Client[]): Promise<boolean> {
  const clientOf = new Map<string, Client>();
  for (const client of clients) {
    const pidOn = new Map<string, number>();
    for (let n = 0; n < TIMES; n += 1) {
      const { server, pid } = await backendOf(client);
      const backend = `${server} ${pid}`;
      if ((clientOf.get(backend) ?? client) !== client) return true;
      if ((pidOn.get(server) ?? pid) !== pid) return true;
      clientOf.set(backend, client);
      pidOn.set(server, pid);
    }
  }
  return false;
}
