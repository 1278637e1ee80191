import type { Sql } from '../db/sql.js';

/**
 * SQL for the origin id of the own log that gave a message its ID: the current
 * one, or a closed generation, whose IDs end with its last message (mesh.md
 * B1). `id` is an expression, such as `m.id`.
 */
export function ownLogOf(id: string): string {
  return `(SELECT g.origin_id FROM log_state g
    WHERE (g.origin_id = 0 OR g.closed_at IS NOT NULL)
      AND g.last_message_id >= ${id}
    ORDER BY g.last_message_id, g.generation LIMIT 1)`;
}

/** A closed generation of the own log whose rows are still here. */
export type ClosedLog = { originId: number; origin: string; logVkey: string };

/** Closed generations, oldest first. */
export async function closedLogs(sql: Sql): Promise<ClosedLog[]> {
  return await sql.query<ClosedLog>(
    `SELECT origin_id AS "originId", origin, log_vkey AS "logVkey"
     FROM log_state WHERE closed_at IS NOT NULL ORDER BY generation`,
  );
}
