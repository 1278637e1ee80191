// By hand: an alert's change and its event in one statement.
import { eventRows } from '../db/note-event.js';
import type { Sql, Tx } from '../db/sql.js';
import type { Alert } from './alerts.js';

const EVENTS = eventRows(
  'alert',
  {
    name: 'kind',
    subject: 'subject',
    detail: 'detail',
    open: 'cleared_at IS NULL',
  },
  'changed',
);
const NOTED = `INSERT INTO admin_pending (kind, payload) ${EVENTS}`;

/** No event while it is open or settled and says the same. */
export async function raiseAlert(
  sql: Sql,
  { kind, subject, detail }: Alert,
  now: number,
): Promise<void> {
  await sql.query(
    `WITH same AS (
       UPDATE alarm SET last_at = $4, times = times + 1
       WHERE kind = $1 AND subject = left($2, 200) AND detail = left($3, 2000)
         AND (cleared_at IS NULL OR settled_detail = detail) RETURNING 1
     ), changed AS (
       INSERT INTO alarm AS a (kind, subject, detail, raised_at, last_at)
       SELECT $1, left($2, 200), left($3, 2000), $4, $4
       WHERE NOT EXISTS (SELECT FROM same)
       ON CONFLICT (kind, subject) DO UPDATE SET detail = excluded.detail,
         last_at = $4, times = a.times + 1, cleared_at = NULL,
         settled_detail = NULL,
         raised_at = CASE WHEN a.cleared_at IS NULL THEN a.raised_at
           ELSE $4 END
       RETURNING kind, subject, detail, cleared_at
     ) ${NOTED}`,
    [kind, subject, detail, now],
  );
}

/** Stays settled until it says something else. False: none was open. */
export async function settleAlert(
  tx: Tx,
  { kind, subject }: Pick<Alert, 'kind' | 'subject'>,
  now: number,
): Promise<boolean> {
  const [row] = await tx.query<{ settled: boolean }>(
    `WITH changed AS (
       UPDATE alarm SET cleared_at = $3, settled_detail = detail
       WHERE kind = $1 AND subject = $2 AND cleared_at IS NULL
       RETURNING kind, subject, detail, cleared_at
     ), noted AS (${NOTED})
     SELECT EXISTS (SELECT FROM changed) AS settled`,
    [kind, subject, now],
  );
  return row?.settled === true;
}

/** Its cause is gone, or it was last raised by `raisedUntil`. */
export async function clearAlert(
  sql: Sql,
  { kind, subject }: Pick<Alert, 'kind' | 'subject'>,
  now: number,
  raisedUntil: number | null = null,
): Promise<void> {
  await sql.query(
    `WITH changed AS (
       UPDATE alarm SET cleared_at = $3
       WHERE kind = $1 AND subject = $2 AND cleared_at IS NULL
         AND ($4::bigint IS NULL OR last_at <= $4)
       RETURNING kind, subject, detail, cleared_at
     ), over AS (
       UPDATE alarm SET settled_detail = NULL
       WHERE kind = $1 AND subject = $2 AND cleared_at IS NOT NULL
         AND settled_detail IS NOT NULL
         AND ($4::bigint IS NULL OR last_at <= $4)
     ) ${NOTED}`,
    [kind, subject, now, raisedUntil],
  );
}

export type LogHead = {
  origin: string;
  log_vkey: string;
  size: number;
  frontier: Buffer;
  last_message_id: number;
  last_at: number;
  checkpoint: string;
  /** After the newest entry. */
  next_idx: number;
  newest: number;
  db_ms: number;
  read_only: boolean;
};

/** Of one moment: the log's head, and what must agree with it. */
export async function readLogHead(sql: Sql): Promise<LogHead | undefined> {
  const [head] = await sql.query<LogHead>(
    `SELECT s.*,
       (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS db_ms,
       current_setting('transaction_read_only')::boolean AS read_only,
       coalesce((SELECT max(idx) + 1 FROM log_entry
                 WHERE origin_id = 0), 0) AS next_idx,
       coalesce((SELECT max(id) FROM message), 0) AS newest
     FROM log_state s WHERE s.origin_id = 0`,
  );
  return head;
}
