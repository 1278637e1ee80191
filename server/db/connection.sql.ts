// By hand: sessions, transactions and the catalogue, under TypeORM.
import { createHash } from 'node:crypto';
import type {
  ClientBase,
  Pool,
  PoolClient,
  QueryConfig,
  QueryResult,
  QueryResultRow,
} from 'pg';
import {
  type AfterQueryEvent,
  type DataSource,
  type EntitySubscriberInterface,
  EventSubscriber,
  type QueryRunner,
} from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import {
  cutOff,
  type Database,
  isConnectionLost,
  only,
  type Roots,
  type Sql,
  sendTogether,
  type Tx,
  type Work,
} from './sql.js';

const names = new Map<string, string>();

/** A named statement is planned once per connection, not per call. */
function statementName(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('hex').slice(0, 32);
    names.set(text, name);
  }
  return name;
}

type Queryable = {
  query<Row extends QueryResultRow>(
    statement: QueryConfig,
  ): Promise<QueryResult<Row>>;
};

export async function run<Row extends QueryResultRow>(
  client: Queryable,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const { rows } = await client.query<Row>({
    name: statementName(text),
    text,
    values: values as unknown[],
  });
  return rows;
}

const ignore = () => {};
const SNAPSHOT = 'START TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY';

/** @param ended called after each COMMIT, also when its answer was lost. */
export function database(
  source: DataSource,
  ended: (roots: ReturnType<Roots>) => void = ignore,
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
    transaction: (work, shown = () => null, isEager = false) =>
      transact(source, work, {
        isEager,
        ended: () => shown && ended(shown()),
      }),
    snapshot: (work) => transact(source, work, { isSnapshot: true }),
    withClient: (work) =>
      hold(source, async (_, client, keep) => {
        const result = await work(client);
        keep();
        return result;
      }),
  };
}

export function pressureOf(source: DataSource) {
  const pool: Pool = (source.driver as PostgresDriver).master;
  return { used: pool.totalCount - pool.idleCount, waiting: pool.waitingCount };
}

/** Closes the connection afterwards unless `use` calls `keep`. */
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
  { isSnapshot = false, isEager = false, ended = ignore as () => void },
): Promise<T> {
  return await hold(source, async (runner, client, keep) => {
    let isOver = false;
    let last = (): unknown => null;
    const sendSingly = isEager ? sendTogether(client) : ignore;
    const tx: Tx = {
      inTransaction: true,
      manager: runner.manager,
      query: async (text, values) => {
        // After COMMIT or ROLLBACK it would run outside of any transaction.
        if (isOver) throw new Error('the transaction is over');
        return await run(client, text, values);
      },
      begun: begin(runner, client, isSnapshot),
      withCommit: isEager ? (send) => (last = send) : null,
    };
    let result: T;
    try {
      if (!isEager) await tx.begun;
      [result] = await Promise.all([work(tx, client), tx.begun]);
    } catch (error) {
      isOver = true;
      if (!isConnectionLost(error) && (await rollBack(client))) {
        sendSingly();
        keep();
      }
      throw error;
    }
    try {
      const answer = last();
      isOver = true;
      const [write, end] = await Promise.allSettled([answer, commit(client)]);
      if (write.status === 'rejected') throw write.reason;
      if (end.status === 'rejected') throw end.reason;
      sendSingly();
      keep();
      return result;
    } finally {
      ended();
    }
  });
}

async function begin(
  runner: QueryRunner,
  client: PoolClient,
  isSnapshot: boolean,
): Promise<void> {
  // TypeORM has to know of the transaction: `save` opens its own otherwise. Its
  // own start waits before it is sent.
  (runner as { isTransactionActive: boolean }).isTransactionActive = true;
  await client.query(isSnapshot ? SNAPSHOT : 'START TRANSACTION');
}

/** One round trip. A session is sent all notifications due before its answer. */
export async function ping(client: ClientBase): Promise<void> {
  await client.query('SELECT 1');
}

/** One round trip; `timeoutMs` limits its answer. */
export async function applySettings(
  client: ClientBase,
  settings: readonly [name: string, value: string | number][],
  timeoutMs: number,
): Promise<void> {
  const statement: QueryConfig & { query_timeout: number } = {
    text: settings
      .map(([name, value]) => `SET ${name} = '${value}'`)
      .join('; '),
    query_timeout: timeoutMs,
  };
  await client.query(statement);
}

/** Until the transaction ends. */
export async function setLocal(
  tx: Tx,
  settings: Record<string, string>,
): Promise<void> {
  await tx.query(
    'SELECT set_config(key, value, true) FROM json_each_text($1)',
    [JSON.stringify(settings)],
  );
}

export async function notify(
  sql: Sql,
  channel: string,
  payload: string,
): Promise<void> {
  await sql.query('SELECT pg_notify($1, $2)', [channel, payload]);
}

export async function listenTo(
  client: ClientBase,
  channels: readonly string[],
): Promise<void> {
  await client.query(channels.map((name) => `LISTEN ${name}`).join('; '));
}

/** Throws where PostgreSQL answers COMMIT with ROLLBACK. */
export async function commit(client: ClientBase): Promise<void> {
  const { command } = await client.query('COMMIT');
  if (command !== 'COMMIT') throw new Error('the transaction had failed');
}

/** False: the connection must be closed. */
export async function rollBack(client: ClientBase): Promise<boolean> {
  try {
    await client.query('ROLLBACK');
    return true;
  } catch {
    return false;
  }
}

/** Grows with every entry, message and event that waiters wait for. */
export async function sumOfStreams(sql: Sql): Promise<number | undefined> {
  const [row] = await sql.query<{ size: number }>(
    // All only grow, so their sum tells when one did.
    `SELECT (sum(size) + (SELECT sum(last_id) FROM stream
         WHERE name IN ('poll_events', 'mirror_updates')))::bigint AS size
     FROM log_state`,
  );
  return row?.size;
}

export type ServerRow = {
  number: number;
  version: string;
  encoding: string;
  standby: boolean;
  fsync: string;
  full_page_writes: string;
  synchronous_commit: string;
};

export async function serverSettings(sql: Sql): Promise<ServerRow> {
  const rows = await sql.query<ServerRow>(
    `SELECT current_setting('server_version_num')::int AS number,
       current_setting('server_version') AS version,
       current_setting('server_encoding') AS encoding,
       pg_is_in_recovery() AS standby,
       current_setting('fsync') AS fsync,
       current_setting('full_page_writes') AS full_page_writes,
       current_setting('synchronous_commit') AS synchronous_commit`,
  );
  return only(rows);
}

export async function tablesWithoutRights(sql: Sql): Promise<string[]> {
  const rows = await sql.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.relnamespace = current_schema()::regnamespace
       AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relname <> 'migrations'
       AND NOT (has_table_privilege(c.oid, 'SELECT')
         AND has_table_privilege(c.oid, 'INSERT')
         AND has_table_privilege(c.oid, 'UPDATE')
         AND has_table_privilege(c.oid, 'DELETE'))
     ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

/** Two servers may have processes of the same number. */
export type Backend = { server: string; pid: number };

export async function backendOf(client: ClientBase): Promise<Backend> {
  const { rows } = await client.query<Backend>(
    'SELECT pg_postmaster_start_time()::text AS server, pg_backend_pid() AS pid',
  );
  return only(rows);
}

/** TypeORM would put a dead or demoted connection back into its pool. */
@EventSubscriber()
export class UselessConnections implements EntitySubscriberInterface {
  async afterQuery(event: AfterQueryEvent): Promise<void> {
    const { success, error, queryRunner } = event;
    if (success) return;
    const isSilent = error?.message === 'Query read timeout';
    if (isSilent || isConnectionLost(error ?? {}))
      cutOff(await queryRunner.connect());
  }
}
