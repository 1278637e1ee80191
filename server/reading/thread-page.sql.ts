// By hand (R2): root, window, parents and poll in one statement.
import { LessThanOrEqual } from 'typeorm';
import { Message } from '../db/entities/message.js';
import type { Sql } from '../db/sql.js';
import type { PollRow } from '../polls/index.js';
import {
  bareColumns,
  type MessageRow,
  messageColumns,
  OWN,
  type Source,
} from './message-columns.js';

/** After an ID, the newest, or before an ID. */
export type Window = {
  kind: 'after' | 'last' | 'before';
  /** Exclusive; `last` also leaves out IDs up to it. */
  edge: number;
  limit: number;
};

export type RootRow = MessageRow & {
  visibility: string;
  newest: number;
  selected: number;
  /** Without removed ones. */
  reply_count: number;
  poll: PollRow | null;
};

export type ThreadPage = {
  root: RootRow;
  /** Ascending; with the root where it is on the page. */
  rows: MessageRow[];
  /** Of the page's messages, outside the page, without the root; by ID. */
  parents: MessageRow[];
};

/** Code points of bodies, and how much comes along. */
type Cuts = {
  preview: number;
  parentPreview: number;
  parentsMax: number;
  referencesMax: number;
};

/** `last` selects the page first, then what the reader lacks. */
const SELECTED = {
  after: `m.id > greatest(a.edge, (SELECT id FROM root))
        ORDER BY m.id LIMIT a.size - (SELECT id > a.edge FROM root)::int`,
  last: `m.id > (SELECT id FROM root) ORDER BY m.id DESC LIMIT a.size`,
  before: `m.id > (SELECT id FROM root) AND m.id < a.edge
        ORDER BY m.id DESC LIMIT a.size`,
} as const;
const WANTED = { after: '', last: 'WHERE id > a.edge', before: '' } as const;

/**
 * $1 requested pages `a`, each by any message of its thread; $2 number of
 * parents. The root is read once, so pages contain only replies.
 */
function statement(
  kind: Window['kind'],
  referencesMax: number,
  source: Source,
): string {
  // JSON: arrays are planned again for each length, slower than the read.
  return `SELECT a.ord, t.* FROM json_to_recordset($1) AS a (ord int, id bigint,
      edge bigint, size int, preview int, parent_preview int)
    CROSS JOIN LATERAL (
    WITH ${source.tables(3)} root AS MATERIALIZED (
      SELECT r.* FROM message m JOIN message r ON r.id = m.root_id
      WHERE m.id = a.id),
    selected AS MATERIALIZED (
      SELECT m.* FROM message m
      WHERE m.root_id = (SELECT id FROM root) AND ${SELECTED[kind]}),
    page AS MATERIALIZED (SELECT * FROM selected ${WANTED[kind]}),
    parent AS (
      SELECT * FROM message WHERE id IN (
        SELECT reply_to FROM page WHERE reply_to <> root_id
          AND reply_to NOT IN (SELECT id FROM page)
        ORDER BY reply_to LIMIT $2)),
    shown AS (
      SELECT 0 AS part, root.* FROM root
      UNION ALL SELECT 1, page.* FROM page
      UNION ALL SELECT 2, parent.* FROM parent)
    SELECT m.part, CASE WHEN m.part = 0 THEN m.visibility END AS visibility,
      CASE WHEN m.part = 0 THEN (SELECT max(x.id) FROM message x
        WHERE x.root_id = m.id) END AS newest,
      CASE WHEN m.part = 0 THEN (SELECT count(*) FROM selected)
        END AS selected,
      CASE WHEN m.part = 0 THEN m.reply_count END AS reply_count,
      CASE WHEN m.part = 0 THEN ${source.poll('m')} END AS poll,
      ${messageColumns('m', ['a.preview', 'a.parent_preview'], referencesMax)}
      ${source.columns('m')}
    FROM shown m ORDER BY m.part, m.id OFFSET 0) t
    ORDER BY a.ord, t.part, t.id`;
}

export type PageAsked = {
  id: number;
  window: Window;
  cuts: Pick<Cuts, 'preview' | 'parentPreview'>;
};

type Row = RootRow & { ord: number; part: number };

/** One statement per kind of window; null for unknown messages. */
export async function threadPages(
  sql: Sql,
  kind: Window['kind'],
  asked: readonly PageAsked[],
  { parentsMax, referencesMax }: Pick<Cuts, 'parentsMax' | 'referencesMax'>,
  source = OWN,
): Promise<(ThreadPage | null)[]> {
  const pages = asked.map(({ id, window, cuts }, ord) => ({
    ord,
    id,
    edge: window.edge,
    size: window.limit,
    preview: cuts.preview,
    parent_preview: cuts.parentPreview,
  }));
  const rows = await sql.query<Row>(statement(kind, referencesMax, source), [
    JSON.stringify(pages),
    parentsMax,
    ...source.values,
  ]);
  const found = asked.map((): Row[] => []);
  for (const row of rows) found[row.ord]?.push(row);
  return asked.map(({ window }, at) => pageOf(found[at] ?? [], window));
}

export async function threadPage(
  sql: Sql,
  id: number,
  window: Window,
  cuts: Cuts,
  source = OWN,
): Promise<ThreadPage | null> {
  const asked = [{ id, window, cuts }];
  const [page] = await threadPages(sql, window.kind, asked, cuts, source);
  return page ?? null;
}

function pageOf(rows: readonly Row[], window: Window): ThreadPage | null {
  const [root] = rows;
  if (root === undefined) return null;
  const replies = rows.filter(({ part }) => part === 1);
  return {
    root,
    rows: opens(root, window) ? [root, ...replies] : replies,
    parents: rows.filter(({ part }) => part === 2),
  };
}

/** When the replies leave room for it. */
function opens(root: RootRow, { kind, edge, limit }: Window): boolean {
  if (kind === 'after') return root.id > edge;
  if (root.selected >= limit) return false;
  return kind === 'last' ? root.id > edge : root.id < edge;
}

/** Counts include tombstones. */
export type ThreadPlace = {
  root_id: number;
  /** Messages before it. */
  rank: number;
  total: number;
};

/** By index only. Never changes: messages are only appended. */
export async function threadPlace(
  sql: Sql,
  id: number,
  source: Source = OWN,
): Promise<ThreadPlace | null> {
  const [row] = await sql.query<ThreadPlace>(
    `${withTables(source, 2)}
     SELECT m.root_id, (SELECT count(*) FROM message x
         WHERE x.root_id = m.root_id AND x.id < m.id) AS rank,
       (SELECT count(*) FROM message x WHERE x.root_id = m.root_id) AS total
     FROM message m WHERE m.id = $1`,
    [id, ...source.values],
  );
  return row ?? null;
}

/** Bytes of bodies; without the opener, newest first. */
export async function scoredReplies(
  sql: Sql,
  { id, newest }: Pick<RootRow, 'id' | 'newest'>,
  limit: number,
  source: Source = OWN,
): Promise<{ id: number; score: number; bytes: number }[]> {
  return await sql.query(
    `${withTables(source, 4)} SELECT m.id, m.score,
       coalesce(octet_length(m.body), 0) AS bytes
     FROM message m WHERE m.root_id = $1 AND m.id > $1 AND m.id <= $2
     ORDER BY m.id DESC LIMIT $3`,
    [id, newest, limit, ...source.values],
  );
}

/** `size`: code points of bodies; null: whole, with references. */
export async function threadMessages(
  sql: Sql,
  ids: readonly number[],
  size: number | null,
  { preview, referencesMax }: { preview: number; referencesMax: number },
  source: Source = OWN,
): Promise<MessageRow[]> {
  const columns =
    size === null
      ? messageColumns('m', [String(preview)], referencesMax)
      : `${bareColumns('m', `left(m.body, ${size})`)}, NULL AS existing`;
  return await sql.query(
    `${withTables(source, 2)} SELECT ${columns} ${source.columns('m')}
     FROM message m WHERE m.id = ANY($1)`,
    [ids, ...source.values],
  );
}

function withTables(source: Source, n: number): string {
  const tables = source.tables(n).trimEnd().replace(/,$/, '');
  return tables === '' ? '' : `WITH ${tables}`;
}

/** Null beyond the end. */
export async function messageAtRank(
  sql: Sql,
  rootId: number,
  rank: number,
  source: Source = OWN,
): Promise<number | null> {
  const [row] = await sql.query<{ id: number }>(
    `${withTables(source, 3)}
     SELECT id FROM message WHERE root_id = $1 ORDER BY id OFFSET $2 LIMIT 1`,
    [rootId, rank, ...source.values],
  );
  return row?.id ?? null;
}

/** Messages of the thread up to an ID. */
export async function rankAfter(
  sql: Sql,
  rootId: number,
  id: number,
): Promise<number> {
  const upTo = { rootId, id: LessThanOrEqual(id) };
  return await sql.manager.countBy(Message, upTo);
}
