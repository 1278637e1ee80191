import type { Sql } from '../db/sql.js';

/** What an operator is called for. */
export type AlarmKind =
  | 'own_key_compromise'
  | 'equivocation'
  | 'rolled_back'
  | 'unresolved_view'
  | 'peer_degraded'
  | 'peer_address'
  | 'removal_unacked'
  | 'hidden_topics'
  | 'open_polls'
  | 'board_writes'
  | 'clock_behind'
  | 'job_failing'
  | 'backup_unverified'
  | 'proxy_without_client';

export type Alarm = { kind: AlarmKind; subject: string; detail: string };

/** Raises an alarm, or says again that it stands. */
export async function raiseAlarm(
  sql: Sql,
  { kind, subject, detail }: Alarm,
  now: number,
): Promise<void> {
  await sql.query(
    `INSERT INTO alarm AS a (kind, subject, detail, raised_at, last_at)
     VALUES ($1, left($2, 200), left($3, 2000), $4, $4)
     ON CONFLICT (kind, subject) DO UPDATE SET detail = excluded.detail,
       last_at = $4, times = a.times + 1, cleared_at = NULL,
       raised_at = CASE WHEN a.cleared_at IS NULL THEN a.raised_at ELSE $4 END`,
    [kind, subject, detail, now],
  );
}

/** Ends an alarm whose cause is gone. */
export async function clearAlarm(
  sql: Sql,
  { kind, subject }: Pick<Alarm, 'kind' | 'subject'>,
  now: number,
): Promise<void> {
  await sql.query(
    `UPDATE alarm SET cleared_at = $3
     WHERE kind = $1 AND subject = $2 AND cleared_at IS NULL`,
    [kind, subject, now],
  );
}

export type OpenAlarm = Alarm & {
  raised_at: number;
  last_at: number;
  times: number;
};

/** The alarms that stand, newest first; times in ms. */
export async function openAlarms(sql: Sql): Promise<OpenAlarm[]> {
  return await sql.query<OpenAlarm>(
    `SELECT kind, subject, detail, raised_at, last_at, times FROM alarm
     WHERE cleared_at IS NULL ORDER BY last_at DESC, kind, subject LIMIT 200`,
  );
}
