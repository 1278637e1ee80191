import type { Sql } from '../db/sql.js';

/**
 * SQL for the origin id of the own log that gave a message its ID: the current
 * one, or a closed generation, whose IDs end with its last message
 * (spec/mesh.md §B1). `id` is an expression, such as `m.id`.
 */
export function ownLogOf(id: string): string {
  return `(SELECT g.origin_id FROM log_state g
    WHERE (g.origin_id = 0 OR g.closed_at IS NOT NULL)
      AND g.last_message_id >= ${id}
    ORDER BY g.last_message_id, g.generation LIMIT 1)`;
}

/**
 * SQL for the row of the own log where it records one. The row of a first
 * generation without an entry or signature records nothing: a start that may
 * begin no log leaves it, so that the board can be read, and the next start
 * replaces it (spec/board.md §16.22).
 */
export const RECORDED = `origin_id = 0
  AND (size > 0 OR checkpoint <> '' OR generation > 1)`;

/** A closed generation of the own log whose rows are still here. */
export type ClosedLog = { originId: number; origin: string; logVkey: string };

/** Closed generations, oldest first. */
export async function closedLogs(sql: Sql): Promise<ClosedLog[]> {
  return await sql.query<ClosedLog>(
    `SELECT origin_id AS "originId", origin, log_vkey AS "logVkey"
     FROM log_state WHERE closed_at IS NOT NULL ORDER BY generation`,
  );
}
