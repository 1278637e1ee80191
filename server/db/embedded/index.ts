import { join } from 'node:path';
import type { Client } from 'pg';
import { writeAccess } from './access.js';
import { accountFor, type RunAs } from './account.js';
import { binariesFor } from './binaries.js';
import { ClusterGone, EmbeddedDatabaseError, quoted } from './error.js';
import { prepareDataRoot, removeDrafts } from './folders.js';
import {
  assertNoOtherVersion,
  clusterExists,
  createCluster,
  systemIdOf,
} from './initdb.js';
import { clusterOf } from './layout.js';
import { endOrphans } from './orphans.js';
import { assertEnterable } from './reach.js';
import { assertRoom } from './room.js';
import { openLog, type Site, stopServer } from './server-process.js';
import { makeSocketDir, socketDirFor } from './socket-dir.js';
import { type Joined, joinOrStart, leaveOrStop } from './supervisor.js';

export { EmbeddedDatabaseError } from './error.js';

export type EmbeddedDatabase = {
  /** For pg: host is a unix socket directory. */
  connection: { host: string; port: number; user: string; database: string };
  dataDirectory: string;
  /** Of the cluster, made with it. */
  systemId: string;
  /** The server was running already: after a crash, or shared. */
  adopted: boolean;
  /** Resolves when our connection ends, most likely with the server. */
  gone: Promise<void>;
  /** Stops the server even if others use it: it cannot be reached any more. */
  end(): Promise<void>;
  stop(): Promise<void>;
};

export type EmbeddedOptions = {
  dataDir: string;
  log: (line: string) => void;
  /** Only part of the socket's name; nothing listens on TCP. */
  port?: number;
  /** Override the defaults, but not those of an adopted server. */
  settings?: Record<string, string>;
  /** PostgreSQL makes a database (`isNew`) or starts now. */
  underWay?: ((isNew: boolean) => void) | undefined;
  /** Fail unless this cluster is there; make or join no other. */
  systemId?: string;
  /** Of a server that is started here. */
  socketDir?: string;
};

/**
 * The PostgreSQL of a board that was given none. It outlives a crash; the next
 * start adopts it, the last `stop()` stops it.
 * @throws ClusterGone where the cluster is not `systemId`;
 *   EmbeddedDatabaseError with the fix where `dataDir` is closed to the
 *   database's account.
 */
export async function startEmbedded(
  options: EmbeddedOptions,
): Promise<EmbeddedDatabase> {
  const cluster = clusterOf(options.dataDir);
  const { systemId } = options;
  if (systemId !== undefined && (await systemIdOf(cluster)) !== systemId) {
    throw new ClusterGone(cluster);
  }
  const as = accountFor(cluster);
  assertEnterable(as, options.dataDir);
  if (!(await clusterExists(cluster))) {
    await assertNoOtherVersion(options.dataDir);
    await assertRoom(options.dataDir);
  }
  const dataRoot = await prepareDataRoot(options.dataDir);
  await endOrphans(clusterOf(dataRoot));
  const site = await prepareSite(dataRoot, as, options);
  const port = options.port ?? 5432;
  const socketDir = options.socketDir ?? socketDirFor(dataRoot, port, as);
  await makeSocketDir(socketDir, as);

  const log = await openLog(join(dataRoot, 'postgres.log'));
  try {
    const access = await writeAccess(dataRoot, as);
    const settings = serverOptions(socketDir, port, {
      ...options.settings,
      ...access,
    });
    const joined = await joinOrStart(
      site,
      settings,
      log,
      join(socketDir, `.s.PGSQL.${port}.lock`),
    );
    const made = database(
      site,
      joined,
      (await systemIdOf(site.clusterDir)) ?? '',
    );
    await ensureBoardDatabase(joined.client).catch(async (error: unknown) => {
      // An adopted server is left running.
      await (joined.adopted ? joined.client.end() : made.stop());
      throw error;
    });
    options.log(`database ${joined.adopted ? 'adopted' : 'started'}`);
    return made;
  } finally {
    await log.close();
  }
}

async function prepareSite(
  dataRoot: string,
  as: RunAs,
  { log, underWay }: EmbeddedOptions,
): Promise<Site> {
  const clusterDir = clusterOf(dataRoot);
  const binaries = await binariesFor(as, dataRoot);
  if (!(await clusterExists(clusterDir))) {
    log(`creating the database in ${clusterDir}`);
    await createCluster(clusterDir, binaries, as, () => underWay?.(true));
  }
  await removeDrafts(dataRoot);
  return { clusterDir, binaries, as, underWay: () => underWay?.(false) };
}

function database(
  site: Site,
  joined: Joined,
  systemId: string,
): EmbeddedDatabase {
  let stopped: Promise<void> | undefined;
  const gone = new Promise<void>((resolve) => {
    joined.client.once('end', () => resolve());
  });
  return {
    connection: { ...joined.place, user: BOARD, database: BOARD },
    dataDirectory: site.clusterDir,
    systemId,
    adopted: joined.adopted,
    gone,
    end: () => stopServer(site, joined.server, true),
    stop() {
      stopped ??= leaveOrStop(site, joined);
      return stopped;
    },
  };
}

export const BOARD = 'board';
const CREATION = 7_305_218_115;

/** No superuser: injected SQL must not reach files. */
export async function ensureBoardDatabase(client: Client): Promise<void> {
  if (await exists(client)) return;
  await client.query('select pg_advisory_lock($1)', [CREATION]);
  try {
    await create(client);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [CREATION]);
  }
}

async function create(client: Client): Promise<void> {
  await client.query(`
    do $$ begin
      if not exists (select from pg_roles where rolname = '${BOARD}') then
        create role ${BOARD} login createdb;
        grant pg_monitor to ${BOARD};
      end if;
    end $$`);
  if (await exists(client)) return;
  await client.query(
    `create database ${BOARD} owner ${BOARD} template template0 encoding 'UTF8'`,
  );
}

async function exists(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `select exists (select from pg_database where datname = $1)
        and exists (select from pg_roles where rolname = $1) as found`,
    [BOARD],
  );
  return rows[0]?.found === true;
}

/** On the command line they override the files of the data directory. */
const SETTINGS: Readonly<Record<string, string>> = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  wal_level: 'replica',
  // small: one board, one machine
  max_connections: '60',
  shared_buffers: '32MB',
  work_mem: '4MB',
  maintenance_work_mem: '64MB',
  effective_cache_size: '256MB',
  max_wal_size: '1GB',
  jit: 'off',
  io_method: 'sync',
  max_parallel_workers_per_gather: '0',
  max_logical_replication_workers: '0',
  huge_pages: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The log never shows data or parameters.
  log_min_messages: 'warning',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse', // DETAIL prints whole rows
  log_statement: 'none',
  log_min_duration_statement: '-1',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_checkpoints: 'off',
  log_autovacuum_min_duration: '-1',
  log_line_prefix: '%m [%p] ',
  logging_collector: 'off',
};

/** `pg_ctl -o` hands these to a shell, hence the quotes. */
function serverOptions(
  socketDir: string,
  port: number,
  extra: Record<string, string> = {},
): string {
  const all = {
    ...SETTINGS,
    ...extra,
    listen_addresses: '',
    port: String(port),
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
  };
  return Object.entries(all).map(option).join(' ');
}

function option([name, value]: [string, string]): string {
  if (!/^[a-z_.]+$/.test(name)) {
    throw new EmbeddedDatabaseError(`${name} is no PostgreSQL setting.`);
  }
  return `-c ${quoted(`${name}=${value}`)}`;
}
