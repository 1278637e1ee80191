import { mkdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { ownServer, type Server } from './server.js';

/** Two runs on one folder would drop each other's copies. */
const LOCK = 0x62656e63;
const DATABASE = /^[a-z0-9_]+$/;
const IN_USE = '55006';

/** A PostgreSQL of the bench. Its data sets are kept from run to run. */
export class Cluster {
  private constructor(
    /** DATA_DIR of the database, and of the boards' heads, absolute. */
    readonly folder: string,
    private readonly server: Server,
    private readonly holder: pg.Client,
  ) {}

  static async start(
    folder: string,
    begin: (folder: string) => Promise<Server> = ownServer,
  ): Promise<Cluster> {
    await mkdir(folder, { recursive: true });
    const real = await realpath(folder);
    const server = await begin(real);
    const holder = new pg.Client(server.connection);
    await holder.connect();
    const { rows } = await holder.query<{ held: boolean }>(
      `SELECT pg_try_advisory_lock(${LOCK}) AS held`,
    );
    if (rows[0]?.held === true) return new Cluster(real, server, holder);
    await holder.end();
    await server.stop();
    throw new Error(`another run of the bench is using ${real}`);
  }

  urlOf(database: string): string {
    const { host, port, user } = this.server.connection;
    const place = encodeURIComponent(host);
    return `postgresql://${user}@localhost:${port}/${database}?host=${place}`;
  }

  async query<Row extends pg.QueryResultRow>(
    database: string,
    statement: string,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.urlOf(database) });
    await client.connect();
    try {
      return (await client.query<Row>(statement, [...values])).rows;
    } finally {
      await client.end();
    }
  }

  admin<Row extends pg.QueryResultRow>(statement: string): Promise<Row[]> {
    return this.query(this.server.connection.database, statement);
  }

  boardFolder(database: string): string {
    return path.join(this.folder, 'boards', database);
  }

  /** Makes a database, empty or as a copy of another one nobody uses. */
  async create(database: string, template = 'template0'): Promise<void> {
    if (!DATABASE.test(database)) throw new Error(`bad name: ${database}`);
    const copied =
      template === 'template0' ? "ENCODING 'UTF8'" : 'STRATEGY FILE_COPY';
    await this.drop(database);
    await this.admin(
      `CREATE DATABASE ${database} TEMPLATE ${template} ${copied}`,
    );
  }

  async drop(database: string): Promise<void> {
    await rm(this.boardFolder(database), { recursive: true, force: true });
    const statement = `DROP DATABASE IF EXISTS ${database}`;
    // A vacuum is sent away by the first, which FORCE is not allowed to; what a
    // board has left open is ended by the second.
    await this.admin(statement).catch(async (error: unknown) => {
      if ((error as { code?: string }).code !== IN_USE) throw error;
      await this.admin(`${statement} WITH (FORCE)`);
    });
  }

  /** Null: there is no such database; else what `mark` said of it last. */
  async stateOf(database: string): Promise<string | null> {
    const [row] = await this.admin<{ state: string | null }>(
      `SELECT shobj_description(oid, 'pg_database') AS state
       FROM pg_database WHERE datname = '${database}'`,
    );
    return row === undefined ? null : (row.state ?? '');
  }

  async mark(database: string, state: string): Promise<void> {
    await this.admin(`COMMENT ON DATABASE ${database} IS '${state}'`);
  }

  async version(): Promise<string> {
    const [row] = await this.admin<{ server_version: string }>(
      'SHOW server_version',
    );
    return row?.server_version ?? '';
  }

  async stop(): Promise<void> {
    await this.holder.end();
    await this.server.stop();
  }
}
