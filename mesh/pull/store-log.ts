import { encodeFrontier, type Frontier } from '../../protocol/frontier.js';
import type { TreeNode } from '../../protocol/tree.js';
import type { Tx } from '../../server/db/sql.js';
import type { JudgedEntry } from './judged.js';

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
       FROM unnest($2::bigint[], $3::text[], $4::bigint[], $5::text[],
         $6::bytea[], $7::bytea[], $8::bytea[], $9::text[])
         AS e (idx, type, message_id, agent_id, message_hash, leaf, leaf_hash,
           fault)
     ), nodes AS (
       INSERT INTO log_node (origin_id, level, idx, hash)
       SELECT $1, * FROM unnest($10::smallint[], $11::bigint[], $12::bytea[])
     )
     INSERT INTO log_checkpoint (origin_id, size, root, note, at)
     SELECT $1, $13::bigint, $14::bytea, $15::text, $16::bigint
     WHERE $15::text IS NOT NULL
     ON CONFLICT (origin_id, size) DO NOTHING`,
    [
      step.originId,
      entries.map(({ index }) => index),
      entries.map(({ type }) => type),
      entries.map(({ messageId }) => messageId),
      entries.map(({ agentId }) => agentId),
      entries.map(({ messageHash }) => bytea(messageHash)),
      entries.map(({ leaf }) => Buffer.from(leaf, 'utf8')),
      leaves.map(({ hash }) => bytea(hash)),
      entries.map(({ fault }) => fault),
      inner.map(({ level }) => level),
      inner.map(({ index }) => index),
      inner.map(({ hash }) => bytea(hash)),
      head?.size ?? null,
      bytea(head?.root ?? null),
      head?.note ?? null,
      now,
    ],
  );
}
