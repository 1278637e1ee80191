// By hand (M1): batches by unnest, and a function of the database.
import type { TreeNode } from '../../../protocol/tree.js';
import type { Database, Tx } from '../../../server/db/sql.js';
import type { JudgedEntry } from '../verify/judged.js';

/** Reached with a page. */
export type ReachedHead = { size: number; root: Uint8Array; note: string };

/** Leaves, subtrees and the head in one statement. */
export async function storeLog(
  tx: Tx,
  originId: number,
  head: ReachedHead | null,
  entries: readonly JudgedEntry[],
  nodes: readonly TreeNode[],
  now: number,
): Promise<void> {
  const inner = nodes.filter(({ level }) => level > 0);
  const leaves = nodes.filter(({ level }) => level === 0);
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
       SELECT $1, n.*
       FROM unnest($10::smallint[], $11::bigint[], $12::bytea[]) AS n
     )
     INSERT INTO log_checkpoint (origin_id, size, root, note, at)
     SELECT $1, $13::bigint, $14::bytea, $15::text, $16::bigint
     WHERE $15::text IS NOT NULL
     ON CONFLICT (origin_id, size) DO NOTHING`,
    [
      originId,
      entries.map(({ index }) => index),
      entries.map(({ type }) => type),
      entries.map(({ messageId }) => messageId),
      entries.map(({ agentId }) => agentId),
      entries.map(({ messageHash }) => messageHash),
      entries.map(({ leaf }) => Buffer.from(leaf)),
      leaves.map(({ hash }) => hash),
      entries.map(({ fault }) => fault),
      inner.map(({ level }) => level),
      inner.map(({ index }) => index),
      inner.map(({ hash }) => hash),
      head?.size ?? null,
      head?.root ?? null,
      head?.note ?? null,
      now,
    ],
  );
}

/** Refreshes the planner's statistics. */
export async function analyzeLog(
  db: Database,
  originId: number,
): Promise<void> {
  await db.query('SELECT mirror_analyze($1)', [originId]);
}
