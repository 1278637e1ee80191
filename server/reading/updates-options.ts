import type { Context } from '../context.js';
import type { UpdatesQuery as Asked } from '../http/openapi/read-queries.js';
import { canonical } from '../http/query.js';
import type { ViewOptions } from './message-view.js';
import type { UpdatesQuery } from './updates-page.js';
import { viewOptions } from './view-options.js';

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
  asked: Asked,
  url = `${ctx.config.baseUrl}/api/updates`,
): UpdatesOptions {
  const view = viewOptions(ctx, asked);
  const query = {
    room: asked.room,
    replyTo: asked.reply_to ?? null,
    visibility: asked.visibility,
    limit: asked.limit,
    preview: view.preview,
  };
  const { since, wait } = asked;
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
