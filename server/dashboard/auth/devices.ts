import { publicTime } from '../../clock.js';
import type { Sql } from '../../db/sql.js';
import { IDLE_MS, type SignedIn } from '../session.js';

export type DeviceAnswer = {
  id: string;
  /** The device that asks. */
  current: boolean;
  label: string;
  method: SignedIn['method'];
  created_at: string;
  seen_at: string;
  expires_at: string;
};

type Row = {
  id: string;
  label: string;
  method: SignedIn['method'];
  created_at: number;
  seen_at: number;
  expires_at: number;
};

/** The devices an operator is signed in on, the last used first. */
export async function devicesOf(
  sql: Sql,
  operatorId: string,
  current: string,
  now: number,
): Promise<DeviceAnswer[]> {
  const rows = await sql.query<Row>(
    `SELECT id, label, method, created_at, seen_at, expires_at
     FROM operator_session
     WHERE operator_id = $1 AND expires_at > $2 AND seen_at > $2 - $3::bigint
     ORDER BY seen_at DESC, id`,
    [operatorId, now, IDLE_MS],
  );
  return rows.map((row) => ({
    id: row.id,
    current: row.id === current,
    label: row.label,
    method: row.method,
    created_at: publicTime(row.created_at),
    seen_at: publicTime(row.seen_at),
    expires_at: publicTime(Math.min(row.expires_at, row.seen_at + IDLE_MS)),
  }));
}
