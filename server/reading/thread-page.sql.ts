// By hand: a hot read; root, window, parents and poll in one statement.
import type { Sql } from '../db/sql.js';
import type { PollRow } from '../polls/index.js';
import {
  type MessageRow,
  messageColumns,
  OWN,
  type Source,
} from './message-columns.js';

/** Which part of a thread: after an ID, the newest, or before an ID. */
export type Window = {
  kind: 'after' | 'last' | 'before';
  /** The exclusive ID: `last` too leaves out what is not above it. */
  edge: number;
  limit: number;
};

export type RootRow = MessageRow & {
  visibility: string;
  newest: number;
  selected: number;
  poll: PollRow | null;
};

export type ThreadPage = {
  root: RootRow;
  /** Ascending; the root itself where it belongs to the page. */
  rows: MessageRow[];
  /** Direct parents outside the page but for the root, by ID. */
  parents: MessageRow[];
};

/** Code points to which bodies are cut, and how much comes along. */
type Cuts = {
  preview: number;
  parentPreview: number;
  parentsMax: number;
  referencesMax: number;
};

/** The window, and what of it the reader lacks: `last` selects first. */
const SELECTED = {
  after: `m.id > greatest($2, (SELECT id FROM root))
        ORDER BY m.id LIMIT $3 - (SELECT id > $2 FROM root)::int`,
  last: `m.id > (SELECT id FROM root) ORDER BY m.id DESC LIMIT $3`,
  before: `m.id > (SELECT id FROM root) AND m.id < $2
        ORDER BY m.id DESC LIMIT $3`,
} as const;
const WANTED = { after: '', last: 'WHERE id > $2', before: '' } as const;

/**
 * $1 any message of the thread, $2 edge, $3 limit, $4 preview, $5 code points
 * of parents, $6 how many parents. The root is read once and always, so the
 * page is looked for among the replies only.
 */
function statement(
  kind: Window['kind'],
  referencesMax: number,
  source: Source,
): string {
  return `
    WITH ${source.tables(7)} root AS MATERIALIZED (
      SELECT r.* FROM message m JOIN message r ON r.id = m.root_id
      WHERE m.id = $1),
    selected AS MATERIALIZED (
      SELECT m.* FROM message m
      WHERE m.root_id = (SELECT id FROM root) AND ${SELECTED[kind]}),
    page AS MATERIALIZED (SELECT * FROM selected ${WANTED[kind]}),
    parent AS (
      SELECT * FROM message WHERE id IN (
        SELECT reply_to FROM page WHERE reply_to <> root_id
          AND reply_to NOT IN (SELECT id FROM page)
        ORDER BY reply_to LIMIT $6)),
    shown AS (
      SELECT 0 AS part, root.* FROM root
      UNION ALL SELECT 1, page.* FROM page
      UNION ALL SELECT 2, parent.* FROM parent)
    SELECT m.part, CASE WHEN m.part = 0 THEN m.visibility END AS visibility,
      CASE WHEN m.part = 0 THEN (SELECT max(x.id) FROM message x
        WHERE x.root_id = m.id) END AS newest,
      CASE WHEN m.part = 0 THEN (SELECT count(*) FROM selected)
        END AS selected,
      CASE WHEN m.part = 0 THEN ${source.poll('m')} END AS poll,
      ${messageColumns('m', ['$4::int', '$5::int'], referencesMax)}
      ${source.columns('m')}
    FROM shown m ORDER BY m.part, m.id`;
}

/** The whole of a thread read in one statement; null: no such message. */
export async function threadPage(
  sql: Sql,
  id: number,
  window: Window,
  cuts: Cuts,
  source = OWN,
): Promise<ThreadPage | null> {
  const rows = await sql.query<RootRow & { part: number }>(
    statement(window.kind, cuts.referencesMax, source),
    [
      id,
      window.edge,
      window.limit,
      cuts.preview,
      cuts.parentPreview,
      cuts.parentsMax,
      ...source.values,
    ],
  );
  const [root] = rows;
  if (root === undefined) return null;
  const replies = rows.filter(({ part }) => part === 1);
  return {
    root,
    rows: opens(root, window) ? [root, ...replies] : replies,
    parents: rows.filter(({ part }) => part === 2),
  };
}

/** The root opens the page when the replies leave room for it. */
function opens(root: RootRow, { kind, edge, limit }: Window): boolean {
  if (kind === 'after') return root.id > edge;
  if (root.selected >= limit) return false;
  return kind === 'last' ? root.id > edge : root.id < edge;
}

/** The place of a message in its thread; both counts include tombstones. */
export type ThreadPlace = {
  root_id: number;
  /** How many messages of the thread come before it. */
  rank: number;
  /** Messages of the whole thread. */
  total: number;
};

/**
 * The place of a message, by index alone. It never changes: messages are only
 * added, at the end, and removed ones keep theirs.
 */
export async function threadPlace(
  sql: Sql,
  id: number,
  source: Source = OWN,
): Promise<ThreadPlace | null> {
  const tables = source.tables(2).trimEnd().replace(/,$/, '');
  const [row] = await sql.query<ThreadPlace>(
    `${tables === '' ? '' : `WITH ${tables}`}
     SELECT m.root_id, (SELECT count(*) FROM message x
         WHERE x.root_id = m.root_id AND x.id < m.id) AS rank,
       (SELECT count(*) FROM message x WHERE x.root_id = m.root_id) AS total
     FROM message m WHERE m.id = $1`,
    [id, ...source.values],
  );
  return row ?? null;
}

/** The ID of the message at a rank of a thread; null beyond its end. */
export async function messageAtRank(
  sql: Sql,
  rootId: number,
  rank: number,
  source: Source = OWN,
): Promise<number | null> {
  const tables = source.tables(3).trimEnd().replace(/,$/, '');
  const [row] = await sql.query<{ id: number }>(
    `${tables === '' ? '' : `WITH ${tables}`}
     SELECT id FROM message WHERE root_id = $1 ORDER BY id OFFSET $2 LIMIT 1`,
    [rootId, rank, ...source.values],
  );
  return row?.id ?? null;
}
