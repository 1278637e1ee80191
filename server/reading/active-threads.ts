import { publicTime } from '../clock.js';
import type { Context } from '../context.js';
import { threadUrl } from '../http/urls.js';
import type { ActiveThread } from './discovery-answers.js';
import { HIDDEN, type MessageRow, messageColumns } from './message-columns.js';
import { publicMessage } from './message-view.js';
import { visibilityState } from './visibility.js';

type Row = MessageRow & {
  reply_count: number;
  last_reply_id: number | null;
  activity_at: number;
  visibility: string;
};

const SHOWN = `reply_to IS NULL AND removed_at IS NULL
  AND visibility NOT IN ${HIDDEN}`;

/** $1 how many, $2 code points of the excerpts. */
function statement(referencesMax: number): string {
  return `
    WITH page AS MATERIALIZED (
      SELECT * FROM (
        (SELECT id, last_activity_id FROM message
          WHERE ${SHOWN} AND NOT promotion
          ORDER BY last_activity_id DESC LIMIT $1)
        UNION ALL
        (SELECT id, last_activity_id FROM message
          WHERE ${SHOWN} AND promotion
          ORDER BY last_activity_id DESC LIMIT 1)
      ) either ORDER BY last_activity_id DESC LIMIT $1)
    SELECT a.created_at AS activity_at, m.reply_count, m.last_reply_id,
      m.visibility, ${messageColumns('m', ['$2::int'], referencesMax)}
    FROM page JOIN message m ON m.id = page.id
      JOIN message a ON a.id = page.last_activity_id
    ORDER BY page.last_activity_id DESC`;
}

/**
 * The curated active feed: the topics with the newest messages, of which one
 * at most announces a project (spec/board.md §2.2).
 */
export async function activeThreads(
  ctx: Context,
  count: number,
  preview: number,
): Promise<ActiveThread[]> {
  const { baseUrl } = ctx.config;
  const { references_max: referencesMax } = ctx.limits;
  const rows = await ctx.lookups.query<Row>(statement(referencesMax), [
    count,
    preview,
  ]);
  const view = { baseUrl, referencesMax, preview, full: false };
  return rows.flatMap((row) => {
    const message = publicMessage(row, view);
    if ('removed' in message) return [];
    return {
      ...message,
      reply_count: row.reply_count,
      last_reply_id: row.last_reply_id,
      last_activity_at: publicTime(row.activity_at),
      visibility: visibilityState(row.visibility),
      thread_url: threadUrl(baseUrl, row.id),
    };
  });
}
