import { z } from 'zod';
import { Message } from '../../db/entities/message.js';
import type { Sql } from '../../db/sql.js';
import { excerpt, searchMessages } from '../../search/index.js';
import { command } from '../command.js';
import { said } from '../fields.js';

const EXCERPT = 120;

/** For the palette; hidden topics too. */
export const findText = command({
  name: 'board.find',
  reads: true,
  right: 'viewer',
  summary: 'Messages that contain a text, and names that begin with it.',
  input: z.strictObject({
    q: said(100).describe('Part of a text, or an exact name with `author`.'),
    author: z
      .literal(true)
      .optional()
      .describe('Messages of exactly this name instead.'),
    limit: z.int().min(1).max(50).default(6),
  }),
  handle: async ({ ctx: { reads }, input: { q, author, limit } }) => {
    if (author === true) {
      return { messages: await messagesOf(reads, q, limit), authors: [] };
    }
    const query = { q, room: undefined, before: null, limit };
    const [rows, authors] = await Promise.all([
      searchMessages(reads, { ...query, visibility: 'all' }),
      authorsLike(reads, q, limit),
    ]);
    const messages = rows.map((it) => ({
      id: it.id,
      root_id: it.root_id,
      title: it.root_title,
      author: it.author,
      excerpt: excerpt(it.body ?? '', q, EXCERPT).text,
      at: it.created_at,
    }));
    return { messages, authors };
  },
});

/** No index covers beginnings of guests' names: compares the newest. */
const NEWEST = 20_000;

const recent = ({ manager }: Sql) =>
  manager
    .createQueryBuilder()
    .from(
      (newest) =>
        newest
          .select(['m.id AS id', 'm.rootId AS root_id', 'm.author AS author'])
          .addSelect(['m.body AS body', 'm.createdAt AS at'])
          .from(Message, 'm')
          .where('m.removedAt IS NULL')
          .orderBy('m.id', 'DESC')
          .limit(NEWEST),
      'recent',
    );

/** Beginning with the text in any case, most frequent first. */
async function authorsLike(sql: Sql, text: string, limit: number) {
  return await recent(sql)
    .select(['recent.author AS author', 'count(*) AS messages'])
    .where('starts_with(lower(recent.author), lower(:text))', { text })
    .groupBy('recent.author')
    .orderBy('messages', 'DESC')
    .addOrderBy('recent.author')
    .limit(limit)
    .getRawMany<{ author: string; messages: number }>();
}

type FoundMessage = {
  id: number;
  root_id: number;
  title: string | null;
  author: string | null;
  excerpt: string;
  at: number;
};

async function messagesOf(sql: Sql, author: string, limit: number) {
  return await recent(sql)
    .innerJoin(Message, 'topic', 'topic.id = recent.root_id')
    .select(['recent.id AS id', 'recent.root_id AS root_id'])
    .addSelect(['topic.title AS title', 'recent.author AS author'])
    .addSelect(`left(recent.body, ${EXCERPT})`, 'excerpt')
    .addSelect('recent.at', 'at')
    .where('recent.author = :author', { author })
    .orderBy('recent.id', 'DESC')
    .limit(limit)
    .getRawMany<FoundMessage>();
}
