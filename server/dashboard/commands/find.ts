import { z } from 'zod';
import { excerpt, searchMessages } from '../../search/index.js';
import { command } from '../command.js';
import { said } from '../fields.js';
import { authorsLike, messagesOf } from './find.sql.js';

const EXCERPT = 120;

/** For the palette; hidden topics too. */
export const findText = command({
  name: 'board.find',
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
