import { findArchived } from '../archive/find-archived.js';
import { archiveState } from '../archive/state.js';
import { wantedKeys } from '../archive/wanted-keys.js';
import type { Database, Tx } from '../db/sql.js';
import { fold } from '../text/fold.js';
import { gramsOf } from '../text/grams.js';
import { searchRows } from '../text/search-rows.js';
import { type Wanted, wantedTriples } from '../text/triples.js';
import { bareColumns, HIDDEN, type MessageRow } from './message-columns.js';

export type SearchQuery = {
  q: string;
  room: string | undefined;
  /** Exclusive upper ID; null: from the newest. */
  before: number | null;
  visibility: 'hidden' | 'all' | undefined;
  limit: number;
};

/** Messages looked through, newest first, before the index is asked. */
const NEWEST = 2000;
const TIME_MS = 1000;

const SHOWN = {
  visible: `r.visibility NOT IN ${HIDDEN}`,
  hidden: `r.visibility IN ${HIDDEN}`,
  all: 'true',
} as const;

const LITERAL =
  '(position($1 IN s.body_fold) > 0 OR position($1 IN s.title_fold) > 0)';

/**
 * $1 folded text, $2 its triples, $3 limit, $4 exclusive upper ID, $5 room,
 * $6 its grams, for old rows.
 *
 * A common text fills the page from the newest messages; only when it does
 * not, the index gives the older candidates. The choice is not left to the
 * planner, which takes a rare text made of common pairs for a common one and
 * reads everything.
 */
function statement(
  shown: keyof typeof SHOWN,
  operator: Wanted['operator'],
): string {
  const visible = `JOIN message m ON m.id = s.message_id
    JOIN message r ON r.id = m.root_id
    WHERE m.removed_at IS NULL AND ($5::text IS NULL OR m.room = $5)
      AND ${SHOWN[shown]}`;
  return `
    WITH recent AS MATERIALIZED (
      SELECT s.message_id FROM (
        SELECT * FROM message_search WHERE message_id < $4
        ORDER BY message_id DESC LIMIT ${NEWEST}) s
      ${visible} AND ${LITERAL} ORDER BY s.message_id DESC LIMIT $3),
    matching AS MATERIALIZED (
      SELECT s.message_id FROM ${searchRows(operator, '$2', '$6')} s
      WHERE (SELECT count(*) FROM recent) < $3
        -- "+ 0": the primary key is no help to an index of texts
        AND s.message_id + 0 < (SELECT message_id FROM message_search
          WHERE message_id < $4 ORDER BY message_id DESC
          OFFSET ${NEWEST - 1} LIMIT 1)
        AND ${LITERAL}),
    older AS MATERIALIZED (
      SELECT s.message_id FROM matching s ${visible}
      ORDER BY s.message_id DESC LIMIT $3)
    SELECT ${bareColumns('m')} FROM message m WHERE m.id IN (
      SELECT message_id FROM recent UNION ALL SELECT message_id FROM older)
    ORDER BY m.id DESC LIMIT $3`;
}

/**
 * What archived texts match: $1 ids that are looked through, $2 room, $3 folded
 * text. A text of ASCII is judged here, others by who asks.
 */
function archived(shown: keyof typeof SHOWN): string {
  return `
    SELECT m.id, m.title, m.body
    FROM message m JOIN LATERAL (SELECT visibility FROM message
      WHERE id = m.root_id LIMIT 1) r ON true
    WHERE m.id = ANY ($1) AND m.removed_at IS NULL
      AND ($2::text IS NULL OR m.room = $2)
      AND ${SHOWN[shown]}
      AND (${mayHold('m.body')} OR ${mayHold('m.title')})
    ORDER BY m.id DESC`;
}

function mayHold(text: string): string {
  return `(CASE WHEN octet_length(${text}) > length(${text}) THEN true
    ELSE position($3 IN lower(${text} COLLATE "C")) > 0 END)`;
}

type Text = { id: number; title: string | null; body: string };

async function searchArchived(
  tx: Tx,
  query: SearchQuery,
  folded: string,
  limit: number,
  until: number,
): Promise<MessageRow[]> {
  const text = archived(query.visibility ?? 'visible');
  const found = await findArchived(tx, await archiveState(tx), {
    keys: wantedKeys(folded),
    below: query.before ?? Number.MAX_SAFE_INTEGER,
    order: 'newest',
    limit,
    until,
    check: async (ids) => {
      const values = [ids, query.room ?? null, folded];
      const rows = await tx.query<Text>(text, values);
      const holds = (one: string | null) =>
        one !== null && fold(one).includes(folded);
      return rows.filter(({ title, body }) => holds(body) || holds(title));
    },
  });
  if (found.length === 0) return [];
  return await tx.query<MessageRow>(
    `SELECT ${bareColumns('m')} FROM message m WHERE m.id = ANY($1)
     ORDER BY m.id DESC`,
    [found.map(({ id }) => id)],
  );
}

/**
 * The newest matching messages; a search that takes too long is a 503. What is
 * not archived is newer than all that is, so that the archive is asked last;
 * both are seen as of one moment.
 */
export function searchMessages(
  db: Database,
  query: SearchQuery,
): Promise<MessageRow[]> {
  const folded = fold(query.q);
  const { operator, keys } = wantedTriples(folded);
  const { limit } = query;
  const values = [
    folded,
    keys,
    limit,
    query.before ?? Number.MAX_SAFE_INTEGER,
    query.room ?? null,
    gramsOf(folded),
  ];
  const until = performance.now() + TIME_MS;
  return db.transaction(async (tx) => {
    await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await tx.query(`SELECT set_config('statement_timeout', $1, true)`, [
      String(TIME_MS),
    ]);
    const text = statement(query.visibility ?? 'visible', operator);
    const newest = await tx.query<MessageRow>(text, values);
    if (newest.length === limit) return newest;
    const left = limit - newest.length;
    const older = await searchArchived(tx, query, folded, left, until);
    return [...newest, ...older];
  });
}

/** Which of the messages exist, with their roots. */
export async function existingMessages(
  sql: Database | Tx,
  ids: readonly number[],
): Promise<[number, number][]> {
  if (ids.length === 0) return [];
  const rows = await sql.query<{ id: number; root_id: number }>(
    'SELECT id, root_id FROM message WHERE id = ANY($1) AND removed_at IS NULL',
    [ids],
  );
  return rows.map(({ id, root_id }) => [id, root_id]);
}
