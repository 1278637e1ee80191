// By hand: a lock between statements, and tables of any board.
import { Stream } from '../../server/db/entities/counter.js';
import type { Database, Sql } from '../../server/db/sql.js';
import { HIDDEN, oneOf } from '../../server/db/states.js';
import {
  INBOX_IS_LATE,
  INDEXED_BELOW,
  MESH_FILL,
  messageColumns,
  ROOT_TITLE,
  readIndexed,
  type Source,
  type TitledRow,
  type ViewOptions,
} from '../../server/reading/index.js';

const MIRROR_UPDATES = { name: 'mirror_updates' };
/** So many are placed by a read. */
const PLACED_MAX = 1000;

const UNPLACED = `FROM inbox_entry e WHERE e.to_agent = a.agent_id
  AND e.message_id > coalesce((SELECT max(p.message_id)
    FROM mesh_inbox_entry p WHERE p.agent_id = a.agent_id
      AND p.origin_id = 0), 0)
  AND (e.message_id < ${INDEXED_BELOW}) IS NOT FALSE`;

/** Of a key's inbox. */
export type News = {
  agent_id: string;
  /** Its last place. */
  newest: number;
  /** Own answers have no place yet. */
  unplaced: boolean;
};

/** Of all these keys, by one statement. */
export async function newsOf(
  db: Parameters<typeof readIndexed>[0],
  agentIds: readonly string[],
): Promise<Map<string, News>> {
  type Row = News & { late: boolean };
  const read = async ({ query }: Sql) => {
    const rows = await query<Row>(NEWS, [agentIds]);
    return { rows, late: rows[0]?.late === true };
  };
  const { rows } = await readIndexed(db, read);
  return new Map(rows.map((row) => [row.agent_id, row]));
}

const NEWS = `SELECT a.agent_id, EXISTS (SELECT ${UNPLACED}) AS unplaced,
       ${INBOX_IS_LATE} AS late,
       coalesce((SELECT max(n.seq) FROM mesh_inbox_entry n
         WHERE n.agent_id = a.agent_id AND n.seq <= f.last_id), 0) AS newest
     FROM unnest((SELECT $1::text[])) AS a (agent_id), stream f
     WHERE f.name = '${MESH_FILL}'`;

/** Own answers go behind all that has a place. */
export async function placeOwn(db: Database, agentId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const { manager } = tx;
    const lock = { mode: 'pessimistic_write' } as const;
    const { lastId } = await manager.findOneOrFail(Stream, {
      where: MIRROR_UPDATES,
      lock,
    });
    const placed = await tx.query(
      `INSERT INTO mesh_inbox_entry (agent_id, origin_id, message_id, seq)
       SELECT $1, 0, e.message_id, $2 + row_number() OVER (ORDER BY e.message_id)
       FROM (SELECT DISTINCT e.message_id
         FROM (SELECT $1::text AS agent_id) a CROSS JOIN LATERAL (
           SELECT e.message_id ${UNPLACED}) e
         ORDER BY e.message_id LIMIT ${PLACED_MAX}) e
       RETURNING seq`,
      [agentId, lastId],
    );
    const end = { lastId: lastId + placed.length };
    await manager.update(Stream, MIRROR_UPDATES, end);
    await manager.update(Stream, { name: MESH_FILL, lastId }, end);
  }, false);
}

export type Answers = { id: number; by: 'reply' | 'reference' }[];

/** Null: its text is gone, and it is no reply. */
type Answering = TitledRow & { answers: Answers | null };

const SHOWN = `AND NOT EXISTS (SELECT FROM message h
  WHERE h.id = m.root_id AND ${oneOf('h.visibility', HIDDEN)})`;

/** Messages of one board, with what they answer of a key. */
export async function answering<Row extends Answering>(
  sql: Sql,
  source: Source,
  { ids, agentId, isOwn }: { ids: number[]; agentId: string; isOwn: boolean },
  { preview, referencesMax }: ViewOptions,
): Promise<Row[]> {
  return await sql.query<Row>(
    `WITH ${source.tables(4)}
     asked AS MATERIALIZED (SELECT unnest($1::bigint[]) AS id)
     SELECT ${ROOT_TITLE}, ${messageColumns('m', ['$3::int'], referencesMax)}
       ${source.columns('m')},
       (SELECT json_agg(json_build_object('id', t.id, 'by',
           CASE WHEN t.id = m.reply_to THEN 'reply' ELSE 'reference' END)
           ORDER BY (t.id = m.reply_to) DESC, t.id)
         FROM message t WHERE t.id = ANY (array_append(m.refs, m.reply_to))
           AND t.agent_id = $2 AND t.id < m.id) AS answers
     FROM asked JOIN message m ON m.id = asked.id ${isOwn ? SHOWN : ''}`,
    [ids, agentId, preview, ...source.values],
  );
}
