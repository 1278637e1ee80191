// By hand (R4): lateral joins, which a planner must not reorder.

import { fold } from '../../protocol/fold.js';
import { setLocal } from '../db/connection.sql.js';
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
  /** `all`: each word of `q`, in any order, in body or title. */
  match?: 'all' | undefined;
  room: string | undefined;
  /** Exact display name. */
  author?: string | undefined;
  /** Inclusive lower ID. */
  from?: number | undefined;
  /** Exclusive upper ID; null: from the newest. */
  before: number | null;
  visibility: 'hidden' | 'all' | undefined;
  limit: number;
};

const TIME_MS = 1000;

const SHOWN = {
  visible: `NOT ${oneOf('r.visibility', HIDDEN)}`,
  hidden: oneOf('r.visibility', HIDDEN),
  all: 'true',
} as const;

/** The whole of `q`, or its words. */
export function wordsOf({ q, match }: Pick<SearchQuery, 'q' | 'match'>) {
  const words = q.split(' ').filter((word) => word !== '');
  return match === 'all' && words.length > 0 ? words : [q];
}

/** `holds` for each element of the array `parameter`. */
function each(
  words: number,
  parameter: string,
  holds: (word: string) => string,
): string {
  return Array.from(
    { length: words },
    (_, at) => `(${holds(`(${parameter}::text[])[${at + 1}]`)})`,
  ).join(' AND ');
}

/**
 * Scans texts that are not archived, newest first: $1 folded words, $2 limit,
 * $3 exclusive upper ID, $4 room, $5 author, $6 lower ID. Joined by hand: a
 * planner does not know how rare a text is.
 */
function newest(shown: keyof typeof SHOWN, words: number): string {
  const literal = each(
    words,
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
    WHERE s.message_id < $3 AND ${literal} AND m.removed_at IS NULL
      AND ($4::text IS NULL OR m.room = $4) AND ${SHOWN[shown]}
      AND ($5::text IS NULL OR m.author = $5)
      AND s.message_id >= $6
    ORDER BY s.message_id DESC LIMIT $2`;
}

/**
 * Archived matches: $1 candidate ids, $2 room, $3 folded words, $4 author, $5
 * lower ID. Non-ASCII texts are checked by the caller.
 */
function archived(shown: keyof typeof SHOWN, words: number): string {
  const may = each(
    words,
    '$3',
    (word) => `${mayHold('m.body', word)} OR ${mayHold('m.title', word)}`,
  );
  return `
    SELECT m.id, m.title, m.body
    FROM message m JOIN LATERAL (SELECT visibility FROM message
      WHERE id = m.root_id LIMIT 1) r ON true
    WHERE m.id = ANY ($1) AND m.removed_at IS NULL
      AND ($2::text IS NULL OR m.room = $2)
      AND ($4::text IS NULL OR m.author = $4) AND m.id >= $5
      AND ${SHOWN[shown]}
      AND ${may}
    ORDER BY m.id DESC`;
}

function mayHold(text: string, word: string): string {
  return `(CASE WHEN octet_length(${text}) > length(${text}) THEN true
    ELSE position(${word} IN lower(${text} COLLATE "C")) > 0 END)`;
}

type Text = { id: number; title: string | null; body: string };

async function searchArchived(
  tx: Tx,
  query: SearchQuery,
  words: readonly string[],
  limit: number,
  until: number,
): Promise<FoundRow[]> {
  const text = archived(query.visibility ?? 'visible', words.length);
  const found = await findArchived(tx, await archiveState(tx), {
    keys: wantedKeys(...words),
    below: query.before ?? Number.MAX_SAFE_INTEGER,
    order: 'newest',
    limit,
    until,
    check: async (ids) => {
      const { room = null, author = null, from = 0 } = query;
      const values = [ids, room, words, author, from];
      const rows = await tx.query<Text>(text, values);
      return rows.filter(({ title, body }) => {
        const texts = [fold(body), fold(title ?? '')];
        return words.every((word) => texts.some((one) => one.includes(word)));
      });
    },
  });
  if (found.length === 0) return [];
  return await tx.query<FoundRow>(
    `SELECT ${bareColumns('m')}, r.title AS root_title
     FROM message m JOIN message r ON r.id = m.root_id
     WHERE m.id = ANY($1) ORDER BY m.id DESC`,
    [found.map(({ id }) => id)],
  );
}

/** 503 when it takes too long. The archive is older, so read last. */
export function searchMessages(
  db: Database,
  query: SearchQuery,
): Promise<FoundRow[]> {
  const words = wordsOf(query).map(fold);
  const { limit } = query;
  const below = query.before ?? Number.MAX_SAFE_INTEGER;
  const { room = null, author = null, from = 0 } = query;
  const values = [words, limit, below, room, author, from];
  const until = performance.now() + TIME_MS;
  return db.snapshot(async (tx) => {
    await setLocal(tx, { statement_timeout: `${TIME_MS}` });
    const text = newest(query.visibility ?? 'visible', words.length);
    const found = await tx.query<FoundRow>(text, values);
    if (found.length === limit) return found;
    const left = limit - found.length;
    const older = await searchArchived(tx, query, words, left, until);
    return [...found, ...older];
  });
}
