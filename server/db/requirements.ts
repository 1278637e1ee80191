import { DatabaseProblem } from './problem.js';
import type { Sql } from './sql.js';

const OLDEST = 150_000;
const DURABILITY = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;

type ServerRow = {
  number: number;
  version: string;
  encoding: string;
  standby: boolean;
} & Record<(typeof DURABILITY)[number], string>;

export type ServerFacts = { version: string; faults: string[] };

/**
 * What the board cannot do without (spec/board.md §14.3): a receipt is a
 * promise, and a server that may forget a commit would break it.
 */
export async function serverFacts(sql: Sql): Promise<ServerFacts> {
  const [row] = await sql.query<ServerRow>(
    `SELECT current_setting('server_version_num')::int AS number,
       current_setting('server_version') AS version,
       current_setting('server_encoding') AS encoding,
       pg_is_in_recovery() AS standby,
       current_setting('fsync') AS fsync,
       current_setting('full_page_writes') AS full_page_writes,
       current_setting('synchronous_commit') AS synchronous_commit`,
  );
  if (row === undefined) throw new Error('the database answered nothing');
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
