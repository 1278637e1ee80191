// By hand: lateral joins over partitioned tables, and CTEs in place of a
// board's messages (`mirror-source.sql.ts`).
import type { ProofFacts } from '../../server/agents/index.js';
import type { Sql } from '../../server/db/sql.js';
import {
  messageColumns,
  type ViewOptions,
} from '../../server/reading/index.js';
import {
  type MirroredRow,
  mirroredColumns,
  mirrorSource,
} from './mirror-source.sql.js';
import type { MirroredBoard } from './mirrored-board.js';

export async function findMirrored(
  sql: Sql,
  board: MirroredBoard,
  id: number,
  { preview, referencesMax }: Pick<ViewOptions, 'preview' | 'referencesMax'>,
): Promise<MirroredRow | undefined> {
  const source = mirrorSource(board);
  const [row] = await sql.query<MirroredRow>(
    `WITH ${source.tables(3)} asked AS (SELECT $1::bigint AS id)
     SELECT ${messageColumns('m', ['$2::int'], referencesMax)}
       ${mirroredColumns('m')}
     FROM asked JOIN message m ON m.id = asked.id`,
    [id, preview, ...source.values],
  );
  return row;
}

type Counted = { origin_id: number; found: number; newest: number };

/**
 * Counts only what is new since the last look. IDs that a former log gave
 * already are no further messages.
 */
const COUNT_NEW = `SELECT b.origin_id, c.found - again.found AS found, c.newest
  FROM unnest($1::int[], $2::bigint[]) AS b (origin_id, above)
    CROSS JOIN LATERAL (SELECT count(*)::int AS found, max(m.id) AS newest
      FROM mirror_message m WHERE m.origin_id = b.origin_id
        AND m.id > b.above AND m.status <> 'invalid') AS c
    CROSS JOIN LATERAL (SELECT count(DISTINCT m.id)::int AS found
      FROM log_state own
        JOIN log_state f ON f.board = own.board AND f.origin_id > 0
          AND f.origin_id < own.origin_id AND f.closed_at IS NULL
        JOIN mirror_message m ON m.origin_id = own.origin_id
          AND m.id > b.above AND m.id <= f.last_message_id
          AND m.status <> 'invalid'
        JOIN mirror_message o ON o.origin_id = f.origin_id AND o.id = m.id
          AND o.status <> 'invalid'
      WHERE own.origin_id = b.origin_id) AS again
  WHERE c.found > 0`;

export async function countNew(
  sql: Sql,
  logs: readonly { id: number; above: number }[],
): Promise<Counted[]> {
  return await sql.query<Counted>(COUNT_NEW, [
    logs.map(({ id }) => id),
    logs.map(({ above }) => above),
  ]);
}

/** With our cosignature, if any. */
type MirroredFacts = Omit<ProofFacts, 'size' | 'checkpoint'> & {
  hidden: boolean;
  /** Null while no stored checkpoint covers the entries. */
  size: number | null;
  checkpoint: string | null;
  cosignature: string | null;
};

/** After the entries, within the local tree. */
const covers = (c: string) => `${c}.size <= s.size
  AND ${c}.size > greatest(m.log_index, coalesce(r.idx, 0))`;

/**
 * $1 log, $2 message, $3, $4 our cosigner's name and key. Removals in later
 * generations are not of this tree.
 */
const FACTS = `SELECT s.board, s.origin, s.log_vkey, m.agent_id, m.key_seq,
    ARRAY(SELECT k.note FROM agent_key_event k
      WHERE k.origin_id = $1 AND k.agent_id = m.agent_id
        AND k.idx < m.log_index ORDER BY k.idx) AS keys,
    m.log_index, e.leaf, m.salt, m.author, m.title, m.body, m.poll,
    m.hidden_at IS NOT NULL AS hidden,
    r.idx AS removal_index, r.leaf AS removal_leaf,
    coalesce(cosigned.size, newest.size) AS size,
    coalesce(cosigned.note, newest.note) AS checkpoint,
    cosigned.line AS cosignature
  FROM mirror_message m
    JOIN log_state s ON s.origin_id = $1
    JOIN log_entry e ON e.origin_id = $1 AND e.idx = m.log_index
    LEFT JOIN mirror_decision d ON m.status = 'removed' AND d.origin_id = $1
      AND d.idx = m.removal_index AND d.target = m.message_hash
      AND d.at = m.removal_at
    LEFT JOIN log_entry r ON r.origin_id = $1 AND r.idx = d.idx
    LEFT JOIN LATERAL (SELECT k.size, c.note, k.line
      FROM log_cosignature k
        JOIN log_checkpoint c ON c.origin_id = $1 AND c.size = k.size
      WHERE k.origin_id = $1 AND k.cosigner = $3 AND k.vkey = $4 AND ${covers('k')}
      ORDER BY k.size DESC LIMIT 1) AS cosigned ON true
    LEFT JOIN LATERAL (SELECT c.size, c.note FROM log_checkpoint c
      WHERE c.origin_id = $1 AND ${covers('c')}
      ORDER BY c.size DESC LIMIT 1) AS newest ON cosigned.size IS NULL
  WHERE m.origin_id = $1 AND m.id = $2 AND m.status <> 'invalid'`;

/**
 * From the latest generation that has the message; null if it is not mirrored.
 * Prefers a checkpoint that we cosigned.
 */
export async function mirroredFacts(
  sql: Sql,
  { logs }: MirroredBoard,
  id: number,
  { name, vkey }: { name: string; vkey: string },
): Promise<(MirroredFacts & { originId: number }) | null> {
  for (const { originId } of logs) {
    const values = [originId, id, name, vkey];
    const [row] = await sql.query<MirroredFacts>(FACTS, values);
    if (row !== undefined) return { ...row, originId };
  }
  return null;
}
