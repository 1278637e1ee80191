import { ROOMS } from '../../protocol/room.js';
import type { Context } from '../context.js';
import { type Envelope, envelope, type Trust, trust } from '../envelope.js';
import { canonical, type QueryReader } from '../http/query.js';
import type { ViewOptions } from './message-view.js';
import type { OWN } from './source.js';
import { type TopicRow, topicPage } from './threads-page.js';
import { pageLimit, viewOptions } from './view-options.js';

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
  query: QueryReader,
  { source, url, show }: Topics<Item>,
): Promise<TopicListOf<Item>> {
  const options = viewOptions(ctx, query);
  const { preview, full } = options;
  const wanted = {
    room: query.oneOf('room', ROOMS),
    sort: query.oneOf('sort', ['new', 'active']) ?? 'new',
    visibility: query.oneOf('visibility', ['hidden', 'all']),
    unanswered: query.flag('unanswered'),
    limit: pageLimit(ctx, query, ctx.limits.topics_page_default),
    before: query.integer('before', { default: null }),
    snapshot: query.integer('snapshot', { default: null }),
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
