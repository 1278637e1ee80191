import { excerpt, searchMessages } from '../../search/index.js';
import { command } from './command.js';
import { authorsLike, messagesOf } from './find.sql.js';

const EXCERPT = 120;

/** Texts and names for the palette of the dashboard, hidden topics too. */
export const findText = command('board.find', {
  right: 'viewer',
  summary: 'Messages that contain a text, and names that begin with it.',
  handle: async ({ reads }, _operator, { q, author, limit }) => {
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
