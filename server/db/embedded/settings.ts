import { EmbeddedDatabaseError, quoted } from './error.js';

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
export function serverOptions(
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
