// By hand: aggregates over many tables in one statement.
import type { Room } from '../../../protocol/room.js';
import { DAY_MS, utcDay } from '../../clock.js';
import { only, type Sql } from '../../db/sql.js';
import { HIDDEN, OPEN_REPORTS, oneOf } from '../../db/states.js';
import { FAILURES } from '../../errors.js';
import { type BackupNote, backupNote } from '../../operations/index.js';
import { AWAITING } from './queue.sql.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

async function one<Row extends object>(
  sql: Sql,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row> {
  return only(await sql.query<Row>(text, values));
}

// $1 clock, $2 an hour ago, $3 a day ago, $4 UTC day.
const FIGURES = `SELECT
  (SELECT json_build_object('day', count(*),
      'hour', count(*) FILTER (WHERE created_at > $2))
    FROM message WHERE created_at > $3 AND created_at <= $1) AS posts,
  (SELECT coalesce(json_agg(json_build_object('id', m.id, 'root', m.root_id,
      'room', m.room, 'at', m.created_at, 'title', m.root_title,
      'author', m.author, 'excerpt', m.excerpt) ORDER BY m.id DESC), '[]')
    FROM (SELECT it.id, it.root_id, it.room, it.created_at, it.author,
        left(it.body, 120) AS excerpt, topic.title AS root_title
      FROM message it JOIN message topic ON topic.id = it.root_id
      ORDER BY it.id DESC LIMIT 8) m) AS latest,
  (SELECT json_build_object('day', count(*),
      'hour', count(*) FILTER (WHERE at > $2))
    FROM (SELECT at FROM vote WHERE value = 1 AND at > $3
      UNION ALL SELECT at FROM vote WHERE value = -1 AND at > $3) v
    WHERE at <= $1) AS votes,
  (SELECT json_build_object('oldest_at', min(created_at),
      'received', count(*) FILTER (WHERE status = 'received'),
      'in_review', count(*) FILTER (WHERE status = 'in_review'))
    FROM report WHERE ${oneOf('status', OPEN_REPORTS)}) AS reports,
  (SELECT count(*) FROM message WHERE reply_to IS NULL
    AND removed_at IS NULL AND ${oneOf('visibility', HIDDEN)})
    AS hidden_topics,
  (SELECT count(*) FROM message m WHERE reply_to IS NULL
    AND removed_at IS NULL AND visibility = 'hidden_by_ratings' AND NOT EXISTS
      (SELECT FROM decision d WHERE d.message_id = m.id))
    AS hidden_to_review,
  (SELECT json_build_object('open', count(*) FILTER (WHERE poll.closed_at
        IS NULL AND poll.closes_at > $1 AND topic.removed_at IS NULL),
      'awaiting', count(*) FILTER (WHERE ${AWAITING}))
    FROM poll JOIN message topic ON topic.id = poll.root_id) AS polls,
  (SELECT count(*) FROM session_day WHERE day = $4) AS sessions_today,
  (SELECT json_build_object(
      'failed', coalesce(sum(total) FILTER (WHERE code = ANY($5)), 0),
      'refused', coalesce(sum(total) FILTER (WHERE code <> ALL($5)), 0))
    FROM request_error_day WHERE day = $4) AS errors_today`;

export type Figures = {
  posts: { hour: number; day: number };
  /** Newest first; `root`: its topic. */
  latest: {
    id: number;
    root: number;
    room: Room;
    at: number;
    /** Of its topic; null where removed. */
    title: string | null;
    author: string | null;
    excerpt: string | null;
  }[];
  votes: { hour: number; day: number };
  /** 5xx and 4xx. */
  errors_today: { failed: number; refused: number };
  reports: { received: number; in_review: number; oldest_at: number | null };
  hidden_topics: number;
  /** By ratings, without a decision. */
  hidden_to_review: number;
  polls: { open: number; awaiting: number };
  sessions_today: number;
};

export function overviewFigures(sql: Sql, now: number): Promise<Figures> {
  const values = [now, now - HOUR_MS, now - DAY_MS, utcDay(now), FAILURES];
  return one<Figures>(sql, FIGURES, values);
}

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

type BackupNotes = { backup: BackupNote | null; verified: BackupNote | null };
type SystemFacts = BackupNotes & {
  database: string;
  migrations: string[];
  jobs: {
    name: string;
    started_at: number;
    duration_ms: number;
    rows: number;
    failures: number;
    error: string | null;
  }[];
  tables: { name: string; bytes: number; rows: number }[];
  log: { origin: string; size: number; at: number; checkpoint: string };
};

export function systemFacts(sql: Sql): Promise<SystemFacts> {
  return one<SystemFacts>(sql, FACTS);
}

// $1 clock, $2 an hour ago, $3 a minute ago.
const WATCHED = `SELECT
  (SELECT count(DISTINCT payload ->> 'message_id') FROM admin_event
    WHERE at > $2 AND kind = 'hidden'
      AND payload ->> 'visibility' = 'hidden_by_ratings') AS hidden,
  (SELECT count(*) FROM poll WHERE closed_at IS NULL AND closes_at > $1)
    AS polls,
  (SELECT count(*) FROM message WHERE created_at > $3 AND created_at <= $1)
    AS posts,
  (SELECT last_at FROM log_state WHERE origin_id = 0) AS last_at,
  (SELECT coalesce(json_agg(json_build_object('name', name,
      'failures', failures, 'error', error)), '[]')
    FROM job_run WHERE failures >= 3) AS failing,
  ${backupNote('backup')} AS backup,
  ${backupNote('verify_backup')} AS verified`;

export type WatchedFacts = BackupNotes & {
  hidden: number;
  polls: number;
  posts: number;
  last_at: number;
  failing: { name: string; failures: number; error: string | null }[];
};

export function watchedFacts(sql: Sql, now: number): Promise<WatchedFacts> {
  return one<WatchedFacts>(sql, WATCHED, [now, now - HOUR_MS, now - MINUTE_MS]);
}

/**
 * Peers that have not cosigned a removal of $1, a day ago: they may still show
 * the text (spec/mesh.md §B9). Reinstated ones do not count.
 */
const UNACKED = `SELECT p.name, count(*) AS removals,
    min(d.message_id) AS message_id, min(d.decided_at) AS since
  FROM peer p JOIN decision d ON d.log_index >= p.acked_size
      AND d.generation = (SELECT generation FROM log_state WHERE origin_id = 0)
    JOIN message m ON m.id = d.message_id
  WHERE p.status IN ('active', 'paused', 'quarantined') AND p.acked_size > 0
    AND d.effect = 'removed' AND d.decided_at <= $1
    AND m.removed_at IS NOT NULL
  GROUP BY p.name ORDER BY p.name LIMIT 100`;

export async function unackedRemovals(
  sql: Sql,
  dayAgo: number,
): Promise<
  { name: string; removals: number; message_id: number; since: number }[]
> {
  return await sql.query(UNACKED, [dayAgo]);
}
