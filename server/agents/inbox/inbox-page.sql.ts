// By hand (R3): several indexes merged by ID, cursor and page of one moment; planned once.
import type { Sql } from '../../db/sql.js';
import { HIDDEN, oneOf } from '../../db/states.js';
import {
  answeredBy,
  INBOX_IS_FULL,
  INBOX_IS_LATE,
  messageColumns,
  type NewMessage,
  OWN,
  ROOT_TITLE,
  type TitledRow,
  type ViewOptions,
} from '../../reading/index.js';

/** A key's messages, or those of `ids`; those of `listed` answer none. */
export type Inbox =
  | { agentId: string }
  | { ids: readonly number[]; listed: readonly number[] };

export type InboxQuery = {
  inbox: Inbox;
  visibility: 'hidden' | 'all' | undefined;
  limit: number;
  preview: number;
};

export type InboxAnswer = { id: number; by: 'reply' | 'reference' };
export type InboxRow = TitledRow & { answers: InboxAnswer[] };

type InboxPage = {
  newest: number;
  /** Whether messages of older releases are indexed. */
  complete: boolean;
  /** A process of an older release wrote something that is not. */
  late: boolean;
  /** Of IDs: whether a decision is about one of them. */
  decided: boolean;
  rows: InboxRow[];
};

/** A bound that the planner sees, unlike a parameter; it cuts no page. */
const LARGEST_PAGE = 1000;

const IS_HIDDEN = oneOf('h.visibility', HIDDEN);
const NOT_HIDDEN = `AND NOT EXISTS (SELECT FROM message h
  WHERE h.id = m.root_id AND ${IS_HIDDEN})`;

/** SQL: a list of unknown length, or each length would be planned again. */
const listOf = (n: 1 | 3, type: string) =>
  `(SELECT $${n}::${type}[])::${type}[]`;
const IDS = listOf(3, 'bigint');

/**
 * $1 exclusive ID, $2 limit, $3 agent or IDs, $5 IDs listed. A removed text names nobody. The
 * condition is a value, so that rows are read in order and only to the limit.
 */
function entries({ inbox, visibility }: InboxQuery): string {
  if (visibility === 'hidden') return hiddenEntries(inbox);
  const roots = visibility === 'all' ? '' : NOT_HIDDEN;
  const shown = `e.message_id > $1 AND (
    SELECT (e.by_reply OR m.removed_at IS NULL) ${roots}
    FROM message m WHERE m.id = e.message_id)`;
  if ('agentId' in inbox) {
    // Without an order of its own, or the planner forgets the page's limit.
    return `SELECT e.* FROM inbox_entry e WHERE e.to_agent = $3::text AND ${shown}`;
  }
  return `SELECT e.* FROM unnest(${IDS}) AS t (id) CROSS JOIN LATERAL (
      SELECT e.* FROM inbox_entry e WHERE e.target_id = t.id
        AND e.message_id <> ALL ($5::bigint[]) AND ${shown}
      ORDER BY e.message_id LIMIT $2) e`;
}

/** From the few hidden topics on: a large inbox may have nothing in them. */
function hiddenEntries(inbox: Inbox): string {
  const asked =
    'agentId' in inbox
      ? 'e.to_agent = $3::text'
      : `e.target_id = ANY (${IDS}) AND e.message_id <> ALL ($5::bigint[])`;
  return `SELECT e.* FROM message h JOIN message m ON m.root_id = h.id
      CROSS JOIN LATERAL (SELECT e.* FROM inbox_entry e
        WHERE ${asked} AND e.message_id = m.id OFFSET 0) e
    WHERE h.reply_to IS NULL AND ${IS_HIDDEN} AND m.id > $1
      AND (e.by_reply OR m.removed_at IS NULL)`;
}

function statement(query: InboxQuery, referencesMax: number): string {
  const decided =
    'agentId' in query.inbox
      ? 'true'
      : 'EXISTS (SELECT FROM decision d WHERE d.message_id = ANY ($5::bigint[]))';
  return `
    WITH page AS MATERIALIZED (
      SELECT * FROM (SELECT e.message_id AS id,
          json_agg(json_build_object('id', e.target_id, 'by', ${answeredBy('e')})
            ORDER BY e.by_reply DESC, e.target_id) AS answers
        FROM (${entries(query)}) e
        GROUP BY e.message_id ORDER BY e.message_id LIMIT $2) p
      LIMIT ${Math.max(query.limit, LARGEST_PAGE)})
    SELECT head.last_message_id AS newest, ${INBOX_IS_FULL} AS complete,
      ${INBOX_IS_LATE} AS late, ${decided} AS decided, page.answers,
      ${ROOT_TITLE}, ${messageColumns('m', ['$4::int'], referencesMax)}
      ${OWN.columns('m')}
    FROM log_state head
      LEFT JOIN (page JOIN message m ON m.id = page.id) ON true
    WHERE head.origin_id = 0
    ORDER BY m.id`;
}

export async function inboxPage(
  sql: Sql,
  query: InboxQuery,
  since: number,
  { referencesMax }: Pick<ViewOptions, 'referencesMax'>,
): Promise<InboxPage> {
  const { inbox, limit, preview } = query;
  type Row = Omit<InboxPage, 'rows'> & (InboxRow | { id: null });
  const asked =
    'agentId' in inbox
      ? [inbox.agentId, preview]
      : [inbox.ids, preview, inbox.listed];
  const text = statement(query, referencesMax);
  const rows = await sql.query<Row>(text, [since, limit, ...asked]);
  const { newest = 0, complete = true, late = false } = rows[0] ?? {};
  const decided = rows[0]?.decided === true;
  const isFound = (row: Row): row is Row & InboxRow => row.id !== null;
  return { newest, complete, late, decided, rows: rows.filter(isFound) };
}

/** `there`: not removed. */
export async function namedMessages(
  sql: Sql,
  by: 'ids' | 'request_ids',
  asked: readonly string[],
) {
  return await sql.query<{ asked: string; id: number; there: boolean }>(
    by === 'ids'
      ? `SELECT m.id::text AS asked, m.id, m.removed_at IS NULL AS there
         FROM message m WHERE m.id = ANY (${listOf(1, 'bigint')})`
      : `SELECT w.request_id AS asked, m.id, m.removed_at IS NULL AS there
         FROM write_request w JOIN message m ON m.id = w.message_id
         WHERE w.request_id = ANY (${listOf(1, 'uuid')})`,
    [asked],
  );
}

/** The conditions of {@link inboxPage}, in memory; empty: it is not in it. */
export function answersOf(
  { inbox, visibility }: Pick<InboxQuery, 'inbox' | 'visibility'>,
  { id, is_hidden: isHidden, targets }: NewMessage,
): InboxAnswer[] {
  if (visibility !== 'all' && isHidden !== (visibility === 'hidden')) return [];
  if ('listed' in inbox && inbox.listed.includes(id)) return [];
  const found = targets.filter((target) =>
    'agentId' in inbox
      ? target.agent === inbox.agentId
      : inbox.ids.includes(target.id),
  );
  return found.map(({ agent, ...answer }) => answer);
}
