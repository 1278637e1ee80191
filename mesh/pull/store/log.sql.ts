// By hand (M1): batches by unnest, and a function of the database.
import type { TreeNode } from '../../../protocol/tree.js';
import type { Database, Tx } from '../../../server/db/sql.js';
import type { JudgedEntry } from '../verify/judged.js';

/** Reached with a page. */
export type ReachedHead = { size: number; root: Uint8Array; note: string };

/**
 * SQL: the hash of row `nth`, of one parameter that has all: bytes of an array
 * are sent and read as hexadecimal text.
 */
export const hashAt = (parameter: string) =>
  `substr(${parameter}::bytea, 32 * nth::integer - 31, 32)`;

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
  const texts = entries.map(({ leaf }) => Buffer.from(leaf));
  await tx.query(
    `WITH entries AS (
       INSERT INTO log_entry (origin_id, idx, type, message_id, agent_id,
         message_hash, leaf, leaf_hash, status, fault)
       SELECT $1, idx, type, message_id, agent_id, message_hash,
         substr($7::bytea,
           (1 - size + sum(size) OVER (ORDER BY nth))::integer, size),
         ${hashAt('$8')}, CASE WHEN fault IS NULL THEN 'ok' ELSE 'invalid' END, fault
       FROM unnest($2::bigint[], $3::text[], $4::bigint[], $5::text[],
         $6::bytea[], $9::text[], $17::integer[])
         WITH ORDINALITY
         AS e (idx, type, message_id, agent_id, message_hash, fault, size, nth)
     ), nodes AS (
       INSERT INTO log_node (origin_id, level, idx, hash)
       SELECT $1, level, idx, ${hashAt('$12')}
       FROM unnest($10::smallint[], $11::bigint[]) WITH ORDINALITY
         AS n (level, idx, nth)
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
      Buffer.concat(texts),
      Buffer.concat(leaves.map(({ hash }) => hash)),
      entries.map(({ fault }) => fault),
      inner.map(({ level }) => level),
      inner.map(({ index }) => index),
      Buffer.concat(inner.map(({ hash }) => hash)),
      head?.size ?? null,
      head?.root ?? null,
      head?.note ?? null,
      now,
      texts.map(({ length }) => length),
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
