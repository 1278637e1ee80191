// By hand: a batch is read, expanded and inserted in one statement.
import { Stream } from '../db/entities/counter.js';
import type { Database, Sql, Tx } from '../db/sql.js';

/** Of a text's references so many count (spec/board.md §2.8). */
export const NAMED_MAX = 20;

/** SQL: whose inbox it is in; nobody answers their own key. */
export const toAgent = (target: string, message: string) =>
  `nullif(${target}.agent_id, ${message}.agent_id)`;

/** SQL: how, of an entry. */
export const answeredBy = (entry: string) =>
  `CASE WHEN ${entry}.by_reply THEN 'reply' ELSE 'reference' END`;

/** SQL: what message `m` replies to or names. */
const ANSWERED = `SELECT m.reply_to AS id WHERE m.reply_to IS NOT NULL UNION
    SELECT named.id FROM (SELECT r.id FROM unnest(m.refs) AS r (id)
      WHERE r.id < m.id LIMIT ${NAMED_MAX}) named`;

/**
 * SQL: enters messages of a mirrored log in the inboxes of keys. `origin` is a
 * parameter, so that only its partition is read; `given` has `seq` and `id`;
 * then come entries that need no lookup, or what to do about those that exist. Lateral lookups by key: no plan
 * may read the log through for each page.
 */
export const enterMirrored = (origin: string, given: string, then: string) => `
  INSERT INTO mesh_inbox_entry (agent_id, origin_id, message_id, seq)
  SELECT DISTINCT t.agent_id, ${origin}::int, m.id, given.seq
  FROM ${given} given
    CROSS JOIN LATERAL (SELECT m.* FROM mirror_message m
      WHERE m.origin_id = ${origin}::int AND m.id = given.id OFFSET 0) m
    CROSS JOIN LATERAL (${ANSWERED}) a
    CROSS JOIN LATERAL (SELECT t.agent_id FROM mirror_message t
      WHERE t.origin_id = ${origin}::int AND t.id = a.id
        AND t.agent_id <> coalesce(m.agent_id, '')
        AND t.status <> 'invalid' OFFSET 0) t
  ${then}`;

/** Of those of `given`, which existed when they were published. */
const index = (given: string) => `
  INSERT INTO inbox_entry (target_id, message_id, by_reply, to_agent)
  SELECT t.id, m.id, t.id IS NOT DISTINCT FROM m.reply_to, ${toAgent('t', 'm')}
  FROM message m CROSS JOIN LATERAL (${ANSWERED}) a
    JOIN message t ON t.id = a.id
  WHERE ${given}
  ON CONFLICT (target_id, message_id) DO NOTHING`;

/** Once its text is there again. */
export async function indexAnswersOf(sql: Sql, id: number): Promise<void> {
  await sql.query(index('m.id = $1'), [id]);
}

const FILL = 'inbox_fill';
const BATCH = 500;

/** SQL: whether messages from before the upgrade are all indexed. */
export const INBOX_IS_FULL = `NOT EXISTS (SELECT FROM stream
  WHERE name = '${FILL}')`;

/** SQL: whether processes of an older release wrote something since. */
export const INBOX_IS_LATE = 'EXISTS (SELECT FROM message WHERE unindexed)';

/** SQL: of IDs below it every message is indexed; null: of all. */
export const INDEXED_BELOW = `least((SELECT min(id) FROM message WHERE unindexed),
  (SELECT last_id + 1 FROM stream WHERE name = '${FILL}'))`;

const INDEX_LATE = `WITH late AS (
    UPDATE message SET unindexed = NULL WHERE id IN (SELECT id FROM message
      WHERE unindexed ORDER BY id LIMIT ${BATCH} FOR NO KEY UPDATE)
    RETURNING id)
  ${index('m.id IN (SELECT id FROM late)')}`;

/** Of what an older release has written: nobody's cursor passes it by. */
export async function readIndexed<T extends { late: boolean }>(
  { reads, writes }: { reads: Sql; writes: Database },
  read: (sql: Sql) => Promise<T>,
): Promise<T> {
  let found = await read(reads);
  while (found.late) {
    await writes.transaction((tx) => tx.query(INDEX_LATE), false);
    found = await read(writes);
  }
  return found;
}

/**
 * Up to this place in the order of `mirror_update` inboxes have all that is
 * mirrored. An older release does not move it; a page that begins there does.
 */
export const MESH_FILL = 'mesh_inbox_fill';

/** Up to where inboxes are to be shown, and whether that is all. */
export async function inboxFill({
  query,
}: Sql): Promise<{ place: number; complete: boolean }> {
  const [row] = await query<{ place: number; complete: boolean }>(
    `SELECT f.last_id AS place,
       f.last_id >= u.last_id AND ${INBOX_IS_FULL} AS complete
     FROM stream f, stream u
     WHERE f.name = '${MESH_FILL}' AND u.name = 'mirror_updates'`,
  );
  return row ?? { place: 0, complete: true };
}

const NEXT = `SELECT max(id) AS last, count(*) AS count FROM (
  SELECT id FROM message WHERE id > $1 ORDER BY id LIMIT $2) batch`;

const NEXT_MIRRORED = `SELECT coalesce(max(seq), (SELECT last_id FROM stream
    WHERE name = 'mirror_updates')) AS last, count(*) AS count,
    array_agg(DISTINCT origin_id) FILTER (WHERE origin_id > 0) AS logs FROM (
  SELECT seq, origin_id FROM mirror_update WHERE seq > $1
  ORDER BY seq LIMIT $2) batch`;

/** $1 the log, and places after $2 up to $3. */
const INDEX_MIRRORED = enterMirrored(
  '$1',
  `(SELECT seq, id FROM mirror_update
     WHERE origin_id = $1::int AND seq > $2 AND seq <= $3)`,
  'ON CONFLICT DO NOTHING',
);

type Next = { last: number | null; count: number; logs?: number[] | null };

/** Indexes messages of older releases; returns how many. */
export async function fillInboxes(
  db: Database,
  goesOn: () => boolean,
): Promise<number> {
  const own = await fill(db, goesOn, FILL, NEXT, async (tx, after, last) => {
    await tx.query(index('m.id > $1 AND m.id <= $2'), [after, last]);
  });
  await readIndexed({ reads: db, writes: db }, async (sql) => {
    const [row] = await sql.query<{ late: boolean }>(
      `SELECT ${INBOX_IS_LATE} AS late`,
    );
    return { late: row?.late === true };
  });
  const mirrored = await fill(
    db,
    goesOn,
    MESH_FILL,
    NEXT_MIRRORED,
    async (tx, after, last, logs) => {
      for (const log of logs) {
        await tx.query(INDEX_MIRRORED, [log, after, last]);
      }
    },
  );
  return own + mirrored;
}

async function fill(
  db: Database,
  goesOn: () => boolean,
  name: string,
  next: string,
  enter: (tx: Tx, after: number, last: number, logs: number[]) => Promise<void>,
): Promise<number> {
  let total = 0;
  while (goesOn()) {
    const at = await db.manager.findOneBy(Stream, { name });
    if (at === null) break;
    const [batch] = await db.query<Next>(next, [at.lastId, BATCH]);
    const { last = null, count = 0, logs } = batch ?? {};
    if (last === at.lastId) break; // A transaction ends cached answers.
    await db.transaction(async (tx) => {
      if (last === null) return await tx.manager.delete(Stream, at);
      await enter(tx, at.lastId, last, logs ?? []);
      return await tx.manager.update(Stream, at, { lastId: last });
    });
    total += count;
  }
  return total;
}
