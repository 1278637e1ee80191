// By hand: bounds the newest rows before names are compared.
import type { Sql } from '../../db/sql.js';

type FoundMessage = {
  id: number;
  root_id: number;
  title: string | null;
  author: string | null;
  excerpt: string;
  at: number;
};

/** No index covers beginnings of guests' names: compares the newest. */
const NEWEST = 20_000;

const RECENT = `SELECT id, root_id, author, body, created_at FROM message
  WHERE removed_at IS NULL ORDER BY id DESC LIMIT ${NEWEST}`;

/** Beginning with the text in any case, most frequent first. */
export async function authorsLike(
  sql: Sql,
  text: string,
  limit: number,
): Promise<{ author: string; messages: number }[]> {
  return await sql.query(
    `SELECT author, count(*) AS messages FROM (${RECENT}) m
     WHERE starts_with(lower(author), lower($1))
     GROUP BY author ORDER BY messages DESC, author LIMIT $2`,
    [text, limit],
  );
}

export async function messagesOf(
  sql: Sql,
  author: string,
  limit: number,
): Promise<FoundMessage[]> {
  return await sql.query(
    `SELECT m.id, m.root_id, topic.title, m.author, left(m.body, 120) AS excerpt,
       m.created_at AS at
     FROM (${RECENT}) m JOIN message topic ON topic.id = m.root_id
     WHERE m.author = $1 ORDER BY m.id DESC LIMIT $2`,
    [author, limit],
  );
}
