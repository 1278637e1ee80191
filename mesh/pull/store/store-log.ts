import { encodeFrontier, type Frontier } from '../../../protocol/frontier.js';
import type { TreeNode } from '../../../protocol/tree.js';
import {
  bigints,
  byteas,
  smallints,
  texts,
} from '../../../server/db/arrays.js';
import type { Tx } from '../../../server/db/sql.js';
import type { JudgedEntry } from '../verify/judged.js';

/** A signed head that the log reaches with a page. */
export type ReachedHead = { size: number; root: Uint8Array; note: string };

export type LogStep = {
  originId: number;
  from: number;
  frontier: Frontier;
  lastMessageId: number;
  lastAt: number;
  /** Null while the page does not end at its signed head. */
  head: ReachedHead | null;
};

/** The cursor was moved by somebody else: nothing of the page may be stored. */
export class CursorMoved extends Error {
  override readonly name = 'CursorMoved';
}

export function bytea(value: Uint8Array | null): Buffer | null {
  return value === null
    ? null
    : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

/**
 * Moves the cursor by compare-and-swap; first of all statements, so that who
 * comes second waits here and then stores nothing.
 *
 * @throws CursorMoved
 */
export async function moveCursor(tx: Tx, step: LogStep): Promise<void> {
  const { head, frontier } = step;
  const moved = await tx.query(
    `UPDATE log_state SET size = $3, frontier = $4, last_message_id = $5,
       last_at = $6, checkpoint = coalesce($7, checkpoint)
     WHERE origin_id = $1 AND size = $2 RETURNING 1`,
    [
      step.originId,
      step.from,
      frontier.size,
      bytea(encodeFrontier(frontier)),
      step.lastMessageId,
      step.lastAt,
      head?.note ?? null,
    ],
  );
  if (moved.length !== 1) throw new CursorMoved();
}

/** Leaves, full subtrees, and the head if one is reached: one statement. */
export async function storeLog(
  tx: Tx,
  step: LogStep,
  entries: readonly JudgedEntry[],
  nodes: readonly TreeNode[],
  now: number,
): Promise<void> {
  const inner = nodes.filter(({ level }) => level > 0);
  const leaves = nodes.filter(({ level }) => level === 0);
  const { head } = step;
  await tx.query(
    `WITH entries AS (
       INSERT INTO log_entry (origin_id, idx, type, message_id, agent_id,
         message_hash, leaf, leaf_hash, status, fault)
       SELECT $1, idx, type, message_id, agent_id, message_hash, leaf,
         leaf_hash, CASE WHEN fault IS NULL THEN 'ok' ELSE 'invalid' END, fault
       FROM (SELECT unnest($2::bigint[]) AS idx, unnest($3::text[]) AS type,
         unnest($4::bigint[]) AS message_id, unnest($5::text[]) AS agent_id,
         unnest($6::bytea[]) AS message_hash, unnest($7::bytea[]) AS leaf,
         unnest($8::bytea[]) AS leaf_hash, unnest($9::text[]) AS fault) AS e
     ), nodes AS (
       INSERT INTO log_node (origin_id, level, idx, hash)
       SELECT $1, unnest($10::smallint[]), unnest($11::bigint[]), unnest($12::bytea[])
     )
     INSERT INTO log_checkpoint (origin_id, size, root, note, at)
     SELECT $1, $13::bigint, $14::bytea, $15::text, $16::bigint
     WHERE $15::text IS NOT NULL
     ON CONFLICT (origin_id, size) DO NOTHING`,
    [
      step.originId,
      bigints(entries.map(({ index }) => index)),
      texts(entries.map(({ type }) => type)),
      bigints(entries.map(({ messageId }) => messageId)),
      texts(entries.map(({ agentId }) => agentId)),
      byteas(entries.map(({ messageHash }) => messageHash)),
      byteas(entries.map(({ leaf }) => Buffer.from(leaf))),
      byteas(leaves.map(({ hash }) => hash)),
      texts(entries.map(({ fault }) => fault)),
      smallints(inner.map(({ level }) => level)),
      bigints(inner.map(({ index }) => index)),
      byteas(inner.map(({ hash }) => hash)),
      head?.size ?? null,
      bytea(head?.root ?? null),
      head?.note ?? null,
      now,
    ],
  );
}
