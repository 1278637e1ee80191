// By hand (R4): lateral joins, which a planner must not reorder.

import { DEFAULT_NAME, fold } from '../../protocol/fold.js';
import { setLocal } from '../db/connection.sql.js';
import { nameKey } from '../db/name-key.js';
import type { Database, Tx } from '../db/sql.js';
import { HIDDEN, oneOf } from '../db/states.js';
import { bareColumns, type MessageRow } from '../reading/index.js';
import { archiveState } from './ngram-index/archive.sql.js';
import { findArchived } from './ngram-index/find-archived.js';
import { wantedKeys } from './ngram-index/keys.js';

/** Title of its topic; null where that is removed. */
export type FoundRow = MessageRow & { root_title: string | null };

export type SearchQuery = {
  q: string;
  /** Each word of `q`, or one of them, in any order, in body or title. */
  match?: 'all' | 'any' | undefined;
  room?: string | undefined;
  /** The same name (spec/board.md §16.20). */
  author?: string | undefined;
  agentId?: string | undefined;
  /** Inclusive lower ID. */
  from?: number | undefined;
  /** Exclusive upper ID; null: from the newest. */
  before: number | null;
  visibility?: 'hidden' | 'all' | undefined;
  limit: number;
  sort?: 'new' | 'score' | undefined;
};

const TIME_MS = 1000;

const SHOWN = {
  visible: `NOT ${oneOf('r.visibility', HIDDEN)}`,
  hidden: oneOf('r.visibility', HIDDEN),
  all: 'true',
} as const;

/** The whole of `q`, or its words; one in double quotes may have blanks. */
export function wordsOf({ q, match }: Pick<SearchQuery, 'q' | 'match'>) {
  if (match === undefined) return [q];
  const words = [...q.matchAll(/"([^"]+)"(?= |$)|[^ ]+/g)];
  return words.length === 0
    ? [q]
    : words.map(([word, quoted]) => quoted ?? word);
}

/** `holds` for each element, or one, of the array `parameter`. */
function each(
  { words, match }: Wanted,
  parameter: string,
  holds: (word: string) => string,
): string {
  return words
    .map((_, at) => `(${holds(`(${parameter}::text[])[${at + 1}]`)})`)
    .join(match === 'any' ? ' OR ' : ' AND ');
}

/** `words` are folded. */
type Wanted = SearchQuery & { words: readonly string[] };

/** The same name; older messages have no key, and the default none. */
const byAuthor = (name: string, key: string, agent: string) =>
  `(${name}::text IS NULL OR m.name_key = ${key}
    OR (m.name_key IS NULL AND m.author = ${name}))
  AND (${agent}::text IS NULL OR m.agent_id = ${agent})`;

function authorOf({ author, agentId }: SearchQuery) {
  if (author === undefined) return [null, null, agentId ?? null];
  const key = nameKey(author);
  return [key === null ? DEFAULT_NAME : author, key, agentId ?? null];
}

/**
 * Scans texts that are not archived, newest first: $1 folded words, $2 limit,
 * $3 exclusive upper ID, $4 room, $5 lower ID, $6 author. Joined by hand: a
 * planner does not know how rare a text is.
 */
function newest(wanted: Wanted): string {
  const literal = each(
    wanted,
    '$1',
    (word) =>
      `position(${word} IN s.body_fold) > 0 OR position(${word} IN s.title_fold) > 0`,
  );
  return `
    SELECT ${bareColumns('m')}, r.title AS root_title FROM message_search s
      JOIN LATERAL (SELECT * FROM message WHERE id = s.message_id LIMIT 1) m
        ON true
      JOIN LATERAL (SELECT visibility, title FROM message
        WHERE id = m.root_id LIMIT 1) r ON true
    WHERE s.message_id < $3 AND (${literal}) AND m.removed_at IS NULL
      AND ($4::text IS NULL OR m.room = $4)
      AND ${SHOWN[wanted.visibility ?? 'visible']}
      AND ${byAuthor('$6', '$7', '$8')}
      AND s.message_id >= $5
    ORDER BY s.message_id DESC LIMIT $2`;
}

/**
 * Archived matches: $1 candidate ids, $2 room, $3 folded words, $4 lower ID, $5
 * author. Non-ASCII texts are checked by the caller.
 */
function archived(wanted: Wanted): string {
  const may = each(
    wanted,
    '$3',
    (word) => `${mayHold('m.body', word)} OR ${mayHold('m.title', word)}`,
  );
  return `
    SELECT m.id, m.title, m.body
    FROM message m JOIN LATERAL (SELECT visibility FROM message
      WHERE id = m.root_id LIMIT 1) r ON true
    WHERE m.id = ANY ($1) AND m.removed_at IS NULL
      AND ($2::text IS NULL OR m.room = $2)
      AND ${byAuthor('$5', '$6', '$7')} AND m.id >= $4
      AND ${SHOWN[wanted.visibility ?? 'visible']}
      AND (${may})
    ORDER BY m.id DESC`;
}

function mayHold(text: string, word: string): string {
  return `(CASE WHEN octet_length(${text}) > length(${text}) THEN true
    ELSE position(${word} IN lower(${text} COLLATE "C")) > 0 END)`;
}

type Text = { id: number; title: string | null; body: string };

/** So many words of `any` are looked for one by one. */
const MOST_ALONE = 8;

/** A word of `any` is looked for by itself: its keys alone narrow. */
async function searchArchived(
  tx: Tx,
  query: Wanted,
  limit: number,
  until: number,
): Promise<FoundRow[]> {
  const { words, match } = query;
  const ids = new Set<number>();
  const isAlone = match === 'any' && words.length <= MOST_ALONE;
  for (const some of isAlone ? words.map((one) => [one]) : [words]) {
    const found = await findWords(tx, { ...query, words: some }, limit, until);
    for (const { id } of found) ids.add(id);
  }
  if (ids.size === 0) return [];
  return await tx.query<FoundRow>(
    `SELECT ${bareColumns('m')}, r.title AS root_title
     FROM message m JOIN message r ON r.id = m.root_id
     WHERE m.id = ANY($1) ORDER BY m.id DESC LIMIT $2`,
    [[...ids], limit],
  );
}

async function findWords(
  tx: Tx,
  query: Wanted,
  limit: number,
  until: number,
): Promise<Text[]> {
  const text = archived(query);
  const { words, match, room = null, from = 0 } = query;
  const isAny = match === 'any' && words.length > 1;
  return await findArchived(tx, await archiveState(tx), {
    keys: isAny ? [] : wantedKeys(...words),
    below: query.before ?? Number.MAX_SAFE_INTEGER,
    order: 'newest',
    limit,
    until,
    check: async (ids) => {
      const values = [ids, room, words, from, ...authorOf(query)];
      const rows = await tx.query<Text>(text, values);
      return rows.filter(({ title, body }) => {
        const texts = [fold(body), fold(title ?? '')];
        const holds = (word: string) => texts.some((one) => one.includes(word));
        return isAny ? words.some(holds) : words.every(holds);
      });
    },
  });
}

/** 503 when it takes too long. The archive is older, so read last. */
export function searchMessages(
  db: Database,
  query: SearchQuery,
): Promise<FoundRow[]> {
  const wanted = { ...query, words: wordsOf(query).map(fold) };
  const { limit, room = null, from = 0 } = query;
  const below = query.before ?? Number.MAX_SAFE_INTEGER;
  const values = [wanted.words, limit, below, room, from, ...authorOf(query)];
  const until = performance.now() + TIME_MS;
  return db.snapshot(async (tx) => {
    await setLocal(tx, { statement_timeout: `${TIME_MS}` });
    const found = await tx.query<FoundRow>(newest(wanted), values);
    if (found.length === limit) return found;
    const left = limit - found.length;
    const older = await searchArchived(tx, wanted, left, until);
    return [...found, ...older];
  });
}
