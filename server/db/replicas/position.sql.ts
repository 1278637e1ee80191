// By hand: functions of the server about its log of changes (WAL).
import type { PoolClient } from 'pg';
import { run } from '../connection.sql.js';
import type { Sql } from '../sql.js';

/** `wal` counts bytes since the server's first. */
export type Position = {
  /** Shared by a server and all its standbys. */
  system: string;
  /** Rises with each promotion; two histories never share one. */
  timeline: number;
  wal: number;
  /** Grows with every entry, message and event that readers can follow. */
  streams: number;
};

const STREAMS = `(coalesce((SELECT sum(size) FROM log_state), 0)
    + coalesce((SELECT sum(last_id) FROM stream), 0)) AS streams`;
const SYSTEM =
  '(SELECT system_identifier::text FROM pg_control_system()) AS system';

/** `wal` is durable, `streams` visible: each answered commit is in both. */
export async function primaryPosition(sql: Sql): Promise<Position> {
  const [row] = await sql.query<Position>(
    `SELECT ${SYSTEM}, flushed - '0/0'::pg_lsn AS wal, ${STREAMS},
       ('x' || left(pg_walfile_name(flushed), 8))::bit(32)::int AS timeline
     FROM pg_current_wal_flush_lsn() AS flushed`,
  );
  if (row === undefined) throw new Error('the database answered nothing');
  return numbered(row);
}

export type StandbyPosition = Position & {
  isStandby: boolean;
  /** The end of the own log; nulls where none is begun. */
  origin: string | null;
  size: number | null;
};

/** The control file names a new timeline late, at a restart point. */
export async function standbyPosition(
  client: PoolClient,
): Promise<StandbyPosition> {
  const [row] = await run<StandbyPosition>(
    client,
    `SELECT pg_is_in_recovery() AS "isStandby", ${SYSTEM},
       coalesce(pg_last_wal_replay_lsn() - '0/0'::pg_lsn, 0) AS wal,
       ${STREAMS},
       (SELECT origin FROM log_state WHERE origin_id = 0) AS origin,
       (SELECT size FROM log_state WHERE origin_id = 0) AS size,
       greatest((SELECT timeline_id FROM pg_control_checkpoint()),
         (SELECT min_recovery_end_timeline FROM pg_control_recovery()))
         AS timeline`,
  );
  if (row === undefined) throw new Error('the replica answered nothing');
  return numbered(row);
}

/** pg returns differences of WAL positions as text. */
function numbered<T extends Position>(row: T): T {
  return { ...row, wal: Number(row.wal), streams: Number(row.streams) };
}
