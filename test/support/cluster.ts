import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import {
  type EmbeddedDatabase,
  startEmbedded,
} from '../../server/db/embedded/index.js';
import { migrate } from '../../server/db/migrate.js';
import { claimPorts } from './free-port.js';
import { makeRunFolder, runFolder } from './run-folder.js';
import { timed } from './times.js';
import { until } from './until.js';

const TEMPLATE = 'reserve_template';

let embedded: EmbeddedDatabase | null = null;

/** How the processes of one run learn where the server is. */
const URL_SETTING = 'TEST_CLUSTER_URL';

/** Migrates the template once; `TEST_DATABASE_URL`: another PostgreSQL. */
export async function startCluster(): Promise<void> {
  await makeRunFolder();
  await claimPorts();
  process.env[URL_SETTING] =
    process.env.TEST_DATABASE_URL ?? (await ownCluster());
  await admin('DROP TABLE IF EXISTS done_once');
  await admin('CREATE TABLE done_once (name text PRIMARY KEY)');
  await admin(`DROP DATABASE IF EXISTS ${TEMPLATE}`);
  await admin(`CREATE DATABASE ${TEMPLATE} TEMPLATE template0 ENCODING 'UTF8'`);
  await migrate({ url: urlOf(TEMPLATE) }, (error) => {
    throw error;
  });
}

async function ownCluster(): Promise<string> {
  embedded = await startEmbedded({
    dataDir: path.join(runFolder(), 'cluster'),
    log: () => {},
    // Two processes of tests, each with up to five busy boards.
    // A line of the log names its database: test files share the cluster.
    settings: { max_connections: '300', log_line_prefix: '%m [%p] %d ' },
  });
  const { host, port, user, database } = embedded.connection;
  const socket = encodeURIComponent(host);
  return `postgresql://${user}@localhost:${port}/${database}?host=${socket}`;
}

export async function stopCluster(): Promise<void> {
  await administrators?.end();
  administrators = null;
  await embedded?.stop();
  await rm(runFolder(), { recursive: true, force: true });
}

function adminUrl(): string {
  const url = process.env[URL_SETTING];
  if (url === undefined) throw new Error('the cluster is not running');
  return url;
}

export function urlOf(database: string): string {
  const url = new URL(adminUrl());
  url.pathname = `/${database}`;
  return url.href;
}

let administrators: pg.Pool | null = null;

/** Runs a statement on the one connection that this process has for it. */
export async function admin(statement: string): Promise<void> {
  if (administrators === null) {
    administrators = new pg.Pool({ connectionString: adminUrl(), max: 1 });
    // The cluster may end before the last process that used it.
    administrators.on('error', () => {});
  }
  await administrators.query(statement);
}

/** Does something once for all processes of a run; the others wait for it. */
export async function oncePerRun(
  name: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl() });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await client.query(
      'SELECT 1 FROM done_once WHERE name = $1',
      [name],
    );
    if (rowCount !== 0) return;
    await work();
    await client.query('INSERT INTO done_once VALUES ($1)', [name]);
  } finally {
    await client.end();
  }
}

/** Without FORCE a vacuum is sent away; with it left connections end. */
export async function dropDatabase(name: string): Promise<void> {
  try {
    await admin(`DROP DATABASE IF EXISTS ${name}`);
  } catch (error) {
    if (codeOf(error) !== '55006') throw error;
    await until('the end of a vacuum', () => forced(name));
  }
}

async function forced(name: string): Promise<boolean> {
  try {
    await admin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    return true;
  } catch (error) {
    if (codeOf(error) !== '42501') throw error;
    return false;
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as { code?: string }).code;
}

/** Copies a database, whose last connections may just be on their way out. */
export async function copyDatabase(name: string, of: string): Promise<void> {
  await until(`a copy of ${of}`, async () => {
    try {
      // Half the time of the other way, which writes each page into the log.
      await admin(`CREATE DATABASE ${name} TEMPLATE ${of} STRATEGY FILE_COPY`);
      return true;
    } catch (error) {
      if (codeOf(error) !== '55006') throw error;
      return false;
    }
  });
}

/** Databases whose last connections may just be on their way out. */
const unused = new Set<string>();

/** Of earlier tests; PostgreSQL sleeps 100 ms where a connection ends. */
async function dropUnused(): Promise<void> {
  for (const name of unused) {
    unused.delete(name);
    await dropDatabase(name);
  }
}

export async function createDatabase(): Promise<{
  url: string;
  drop: () => Promise<void>;
}> {
  const name = `board_${randomBytes(6).toString('hex')}`;
  await dropUnused();
  await timed('copies', () => copyDatabase(name, TEMPLATE));
  return { url: urlOf(name), drop: async () => void unused.add(name) };
}
