import { ROOMS } from '../../protocol/room.js';
import type { Context } from '../context.js';
import { canonical, type QueryReader } from '../http/query.js';
import type { MessageList } from './answers.js';
import { envelope, trust } from './envelope.js';
import type { HeldRequests } from './held-requests.js';
import { publicMessage, type ViewOptions } from './message-view.js';
import type { SharedReads } from './shared-reads.js';
import { type UpdatesQuery, updatesPage } from './updates-page.js';
import { pageLimit, viewOptions } from './view-options.js';

export type UpdatesOptions = {
  query: UpdatesQuery;
  view: ViewOptions;
  since: number;
  /** Seconds. */
  wait: number;
  /** Names the options but for `since`. */
  key: string;
  link: (since: number) => string;
};

/** A page as it goes out; `found` says whether it holds any message. */
export type UpdatesAnswer = {
  found: boolean;
  cursor: number;
  newest: number;
  json: Buffer;
};

/** What the waiters of one board share. */
export type Waiting = {
  held: HeldRequests;
  shared: SharedReads<UpdatesAnswer>;
};

export function updatesOptions(
  ctx: Context,
  reader: QueryReader,
): UpdatesOptions {
  const view = viewOptions(ctx, reader);
  const query = {
    room: reader.oneOf('room', ROOMS),
    replyTo: reader.integer('reply_to', { default: null }),
    visibility: reader.oneOf('visibility', ['hidden', 'all']),
    limit: pageLimit(ctx, reader, ctx.limits.messages_page_default),
    preview: view.preview,
  };
  const since = reader.integer('since', { default: 0 });
  const max = ctx.limits.wait_max_seconds;
  const wait = reader.integer('wait', { max, default: 0 });
  const { replyTo, ...same } = query;
  const options = {
    ...same,
    reply_to: replyTo,
    preview: view.preview || undefined,
    full: view.full,
    wait: wait || undefined,
  };
  const path = `${ctx.config.baseUrl}/api/updates`;
  return {
    query,
    view,
    since,
    wait,
    key: canonical(options),
    link: (edge) => `${path}${canonical({ since: edge, ...options })}`,
  };
}

/** Reads the page above `from`; an empty one keeps the cursor sent. */
export async function answerFrom(
  ctx: Context,
  { query, view, since, link }: UpdatesOptions,
  from: number,
): Promise<UpdatesAnswer> {
  const { newest, rows } = await updatesPage(
    ctx.reads,
    { ...query, limit: query.limit + 1 },
    from,
    view.referencesMax,
  );
  const page = rows.slice(0, query.limit);
  const cursor = page.at(-1)?.id ?? since;
  const more = rows.length > page.length;
  const answer: MessageList = {
    ...envelope(
      page.map((row) => publicMessage(row, view)),
      cursor,
      more ? link(cursor) : null,
    ),
    ...trust(ctx.config.baseUrl),
  };
  const json = Buffer.from(JSON.stringify(answer), 'utf8');
  return { found: page.length > 0, cursor, newest, json };
}
