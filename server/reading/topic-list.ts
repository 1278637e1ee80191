import type { Context } from '../context.js';
import {
  type Envelope,
  envelope,
  type Trust,
  trust,
} from '../http/envelope.js';
import type { TopicsQuery } from '../http/openapi/read-queries.js';
import { canonical } from '../http/query.js';
import type { ViewOptions } from './message-view.js';
import type { OWN } from './source.js';
import { type TopicRow, topicPage } from './threads-page.js';
import { viewOptions } from './view-options.js';

export type TopicListOf<Item> = Envelope<Item> &
  Trust & { next_before: number | null; snapshot: number };

/** Whose topics, the list's own address, and how one of them is shown. */
export type Topics<Item> = {
  source: typeof OWN;
  url: string;
  show: (row: TopicRow, options: ViewOptions) => Item;
};

/** A page of topics, newest or last active first (spec/board.md §2.2). */
export async function topicList<Item>(
  ctx: Context,
  query: TopicsQuery,
  { source, url, show }: Topics<Item>,
): Promise<TopicListOf<Item>> {
  const options = viewOptions(ctx, query);
  const { preview, full } = options;
  const wanted = {
    room: query.room,
    sort: query.sort,
    visibility: query.visibility,
    unanswered: query.unanswered !== undefined,
    limit: query.limit,
    before: query.before ?? null,
    snapshot: query.snapshot ?? null,
  };
  const { newest, topics } = await topicPage(
    ctx.lookups,
    { ...wanted, preview, limit: wanted.limit + 1 },
    options.referencesMax,
    source,
  );
  const page = topics.slice(0, wanted.limit);
  const nextBefore =
    topics.length > page.length ? (page.at(-1)?.id ?? null) : null;
  const snapshot = Math.min(wanted.snapshot ?? newest, newest);
  const more = { ...wanted, before: nextBefore, snapshot, preview, full };
  const next = nextBefore === null ? null : canonical(more);
  const data = page.map((row) => show(row, options));
  return {
    ...envelope(data, newest, next && `${url}${next}`),
    next_before: nextBefore,
    snapshot,
    ...trust(ctx.config.baseUrl),
  };
}
