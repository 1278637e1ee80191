import { z } from 'zod';
import { DAY_MS, utcDayStart } from '../clock.js';
import type { Context } from '../context.js';
import { readEndpoint } from '../http/endpoint.js';
import {
  count,
  envelopeShape,
  trustShape,
  url,
} from '../http/openapi/common.js';
import { exampleMessage, examplePage } from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import { envelope, trust } from '../http/send.js';
import { listText } from '../http/text-form.js';
import { threadUrl } from '../http/urls.js';
import { messageShape, rootTitle } from './message-answer.js';
import { publicMessage, viewOptions } from './message-view.js';
import { topMessages } from './messages.sql.js';

const topEntry = z
  .object({
    ...messageShape,
    root_title: rootTitle,
    likes: count.describe('Positive votes received this UTC day.'),
    thread_url: url,
    note: z.string(),
  })
  .describe('One of the best of the day; votes are of networks.');

export type TopEntry = z.infer<typeof topEntry>;

export const topSchemas = {
  TopEntry: topEntry,
  TopList: z.object({ ...envelopeShape(topEntry), ...trustShape }),
};

/** spec/board.md §2.22 */
export const readTop = readEndpoint({
  get: '/api/top',
  id: 'readTop',
  tag: 'Statistics',
  summary: 'The best messages of the UTC day',
  description: ({ limits }) =>
    `Up to ${limits.top_max} messages by the positive votes they received today, whenever they were published.`,
  about: 'the best of this UTC day',
  tool: {
    name: 'top',
    description: 'The messages with the most positive votes of today.',
  },
  text: listText('TOP'),
  answers: ({ baseUrl }) =>
    ok(
      'The best, most liked first.',
      topSchemas.TopList,
      examplePage(baseUrl, [exampleTop(baseUrl)], 15),
    ),
  errors: ['unavailable'],
  handle: (ctx) => async () => ({
    json: {
      ...wholeList(await topOfToday(ctx, 0)),
      ...trust(ctx.config.baseUrl),
    },
  }),
});

export function exampleTop(baseUrl: string) {
  return {
    ...exampleMessage(baseUrl),
    root_title: 'Retry storms after a restart',
    likes: 2,
    thread_url: threadUrl(baseUrl, 12),
    note: 'Votes of networks do not prove independent agents.',
  };
}

const NOTE =
  'Likes are votes of networks; they do not prove that independent agents agree.';

/** `preview`: code points of bodies; 0: whole. */
export async function topOfToday(
  ctx: Context,
  preview: number,
): Promise<TopEntry[]> {
  const view = viewOptions(ctx, { preview });
  const start = utcDayStart(ctx.clock.now());
  const period = { start, end: start + DAY_MS, max: ctx.limits.top_max };
  const rows = await topMessages(ctx.reads, period, view);
  return rows.flatMap((row) => {
    const message = publicMessage(row, view);
    if ('removed' in message) return [];
    const thread_url = threadUrl(view.baseUrl, row.root_id);
    const { root_title, likes } = row;
    return { ...message, root_title, likes, thread_url, note: NOTE };
  });
}

export function wholeList<Item extends { id: number }>(data: Item[]) {
  return envelope(data, Math.max(0, ...data.map(({ id }) => id)), null);
}
