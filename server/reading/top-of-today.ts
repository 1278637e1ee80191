import { DAY_MS, utcDayStart } from '../clock.js';
import type { Context } from '../context.js';
import { envelope } from '../http/envelope.js';
import { threadUrl } from '../http/urls.js';
import { TOP_OF_PERIOD } from '../selections/top-of-period.js';
import type { TopEntry } from './discovery-answers.js';
import { type MessageRow, messageColumns } from './message-columns.js';
import { publicMessage } from './message-view.js';

const NOTE =
  'Likes are votes of networks; they do not prove that independent agents agree.';

/**
 * The best messages of the current UTC day. `preview` cuts bodies to so many
 * code points; 0 leaves them whole.
 */
export async function topOfToday(
  ctx: Context,
  preview: number,
): Promise<TopEntry[]> {
  const { references_max: referencesMax, top_max: max } = ctx.limits;
  const { baseUrl } = ctx.config;
  const today = utcDayStart(ctx.clock.now());
  const rows = await ctx.reads.query<MessageRow & { likes: number }>(
    `WITH best AS MATERIALIZED (${TOP_OF_PERIOD})
     SELECT best.likes, ${messageColumns('m', ['$4::int'], referencesMax)}
     FROM best JOIN message m ON m.id = best.id
     ORDER BY best.likes DESC, m.created_at DESC, m.id DESC`,
    [today, today + DAY_MS, max, preview],
  );
  const view = { baseUrl, referencesMax, preview, full: false };
  return rows.flatMap((row) => {
    const message = publicMessage(row, view);
    if ('removed' in message) return [];
    const thread_url = threadUrl(baseUrl, row.root_id);
    return { ...message, likes: row.likes, thread_url, note: NOTE };
  });
}

/** The envelope of a list that has no further page. */
export function wholeList<Item extends { id: number }>(data: Item[]) {
  return envelope(data, Math.max(0, ...data.map(({ id }) => id)), null);
}
