import { RELEASE } from '../../http/release.js';
import { LIMIT_DEFAULTS, type LimitName } from '../../limits.js';
import {
  type BackupNote,
  backupNote,
  backupsOf,
} from '../../operations/backup/backup-notes.js';
import type { SystemView } from '../schemas/views.js';
import type { Desk } from './action-context.js';

type Row = Pick<
  SystemView,
  'jobs' | 'migrations' | 'tables' | 'database' | 'log'
> & { backup: BackupNote | null; verified: BackupNote | null };

const FACTS = `SELECT current_setting('server_version') AS database,
  (SELECT coalesce(json_agg(m.name ORDER BY m.timestamp), '[]')
    FROM migrations m) AS migrations,
  (SELECT coalesce(json_agg(json_build_object('name', j.name,
      'started_at', j.started_at, 'duration_ms', j.duration_ms,
      'rows', j.rows, 'failures', j.failures, 'error', j.error)
      ORDER BY j.name), '[]') FROM job_run j) AS jobs,
  (SELECT coalesce(json_agg(t ORDER BY t.bytes DESC, t.name), '[]') FROM (
    SELECT c.relname AS name, pg_total_relation_size(c.oid) AS bytes,
      greatest(c.reltuples, 0)::bigint AS rows
    FROM pg_class c WHERE c.relkind = 'r'
      AND c.relnamespace = 'public'::regnamespace) t) AS tables,
  (SELECT json_build_object('origin', s.origin, 'size', s.size,
      'at', s.last_at, 'checkpoint', s.checkpoint)
    FROM log_state s WHERE s.origin_id = 0) AS log,
  ${backupNote('backup')} AS backup,
  ${backupNote('verify_backup')} AS verified`;

/** What the node runs on, and how old its backups are. */
export async function readSystem(desk: Desk): Promise<SystemView> {
  const [found] = await desk.reads.query<Row>(FACTS);
  if (found === undefined) throw new Error('a one-row statement gave none');
  const { backup, verified, ...row } = found;
  const names = Object.keys(LIMIT_DEFAULTS) as LimitName[];
  return {
    release: RELEASE,
    node: process.version,
    board: desk.board,
    ...row,
    limits: names.map((name) => ({
      name,
      value: desk.limits[name],
      default: LIMIT_DEFAULTS[name],
    })),
    backups: backupsOf(backup, verified, desk.clock.now()),
  };
}
