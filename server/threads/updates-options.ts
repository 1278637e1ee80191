import { ROOMS } from '../../protocol/room.js';
import type { Context } from '../context.js';
import { canonical, type QueryReader } from '../http/query.js';
import type { ViewOptions } from './message-view.js';
import type { UpdatesQuery } from './updates-page.js';
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

/** The parameters of a read of updates (spec/board.md §2.5). */
export function updatesOptions(
  ctx: Context,
  reader: QueryReader,
  url = `${ctx.config.baseUrl}/api/updates`,
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
  return {
    query,
    view,
    since,
    wait,
    key: canonical(options),
    link: (edge) => `${url}${canonical({ since: edge, ...options })}`,
  };
}
