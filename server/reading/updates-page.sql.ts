// By hand (R3): cursor and page are of one moment.
import type { Sql } from '../db/sql.js';
import { HIDDEN, oneOf } from '../db/states.js';
import { answeredBy, INBOX_IS_LATE } from './inbox-entries.sql.js';
import {
  type MessageRow,
  messageColumns,
  OWN,
  ROOT_TITLE,
  type Source,
  type TitledRow,
} from './message-columns.js';

export type UpdatesQuery = {
  room: string | undefined;
  /** Direct replies only. */
  replyTo: number | null;
  visibility: 'hidden' | 'all' | undefined;
  limit: number;
  preview: number;
};

type UpdatesPage = {
  newest: number;
  rows: MessageRow[];
};

/** With what readers may wait for. */
export type NewMessage = TitledRow & {
  is_hidden: boolean;
  /** What it answers, and whose inbox that is in. */
  targets: { id: number; by: 'reply' | 'reference'; agent: string | null }[];
};

/** A bound that the planner sees, unlike a parameter; it cuts no page. */
const LARGEST_PAGE = 1000;

const HIDDEN_ROOTS = `SELECT h.id FROM message h
  WHERE h.reply_to IS NULL AND ${oneOf('h.visibility', HIDDEN)}`;

/** $1 exclusive ID, $2 limit, $3 room, $4 parent, $5 preview. */
function pageIds(query: UpdatesQuery): string {
  const filters = ['m.id > $1'];
  if (query.room !== undefined) filters.push('m.room = $3');
  if (query.replyTo !== null) filters.push('m.reply_to = $4');
  const where = filters.join(' AND ');
  const page = 'ORDER BY m.id LIMIT $2';
  if (query.visibility === 'all') {
    return `SELECT m.id FROM message m WHERE ${where} ${page}`;
  }
  if (query.visibility === undefined) {
    return `SELECT m.id FROM message m WHERE ${where} AND NOT EXISTS (
      ${HIDDEN_ROOTS} AND h.id = m.root_id) ${page}`;
  }
  return `SELECT m.id FROM (${HIDDEN_ROOTS}) h CROSS JOIN LATERAL (
      SELECT m.id FROM message m WHERE m.root_id = h.id AND ${where} ${page}
    ) m ${page}`;
}

function statement(
  query: UpdatesQuery,
  referencesMax: number,
  source: Source,
): string {
  return `
    WITH ${source.tables(6)} page AS MATERIALIZED (
      SELECT p.id FROM (${pageIds(query)}) p
      LIMIT ${Math.max(query.limit, LARGEST_PAGE)})
    SELECT head.last_message_id AS newest,
      ${messageColumns('m', ['$5::int'], referencesMax)}
      ${source.columns('m')}
    FROM log_state head
      LEFT JOIN (page JOIN message m ON m.id = page.id) ON true
    WHERE head.origin_id = 0
      AND ($3::text IS NULL OR true) -- names what no filter may name
      AND ($4::bigint IS NULL OR true)
    ORDER BY m.id`;
}

export async function updatesPage(
  sql: Sql,
  query: UpdatesQuery,
  since: number,
  referencesMax: number,
  source = OWN,
): Promise<UpdatesPage> {
  type Row = { newest: number } & (MessageRow | { id: null });
  const rows = await sql.query<Row>(statement(query, referencesMax, source), [
    since,
    query.limit,
    query.room ?? null,
    query.replyTo,
    query.preview,
    ...source.values,
  ]);
  return {
    newest: rows[0]?.newest ?? 0,
    rows: rows.filter((row): row is Row & MessageRow => row.id !== null),
  };
}

const WITH_CONDITIONS = {
  ...OWN,
  columns: (m: string) =>
    `${OWN.columns(m)}, ${ROOT_TITLE}, EXISTS (${HIDDEN_ROOTS} AND h.id = ${m}.root_id) AS is_hidden,
      ${INBOX_IS_LATE} AS late,
      coalesce((SELECT json_agg(json_build_object('id', e.target_id,
          'by', ${answeredBy('e')}, 'agent', e.to_agent)
          ORDER BY e.by_reply DESC, e.target_id)
        FROM inbox_entry e WHERE e.message_id = ${m}.id
          AND e.target_id = ANY (array_append(${m}.refs, ${m}.reply_to))),
        '[]') AS targets`,
};

/** Of all rooms, whole. */
export async function newMessages(
  sql: Sql,
  since: number,
  limit: number,
  referencesMax: number,
): Promise<{ newest: number; late: boolean; messages: NewMessage[] }> {
  const all = { room: undefined, replyTo: null, visibility: 'all' } as const;
  const query = { ...all, limit, preview: 0 };
  const page = await updatesPage(
    sql,
    query,
    since,
    referencesMax,
    WITH_CONDITIONS,
  );
  const messages = page.rows as (NewMessage & { late: boolean })[];
  return { newest: page.newest, late: messages[0]?.late === true, messages };
}

/** The conditions of {@link updatesPage}, in memory. */
export function isAsked(
  { room, replyTo, visibility }: UpdatesQuery,
  message: NewMessage,
): boolean {
  if (room !== undefined && message.room !== room) return false;
  if (replyTo !== null && message.reply_to !== replyTo) return false;
  return (
    visibility === 'all' || message.is_hidden === (visibility === 'hidden')
  );
}
