import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import type { ThreadQuery } from '../http/openapi/read-queries.js';
import { canonical } from '../http/query.js';
import type { ViewOptions } from './message-view.js';
import type { Window } from './thread-page.js';
import { viewOptions } from './view-options.js';

export type ThreadOptions = {
  view: ViewOptions;
  window: Window;
  since: number;
  /** Parents are short whatever `preview` says, shorter when it says so. */
  parentPreview: number;
  text: boolean;
  /** Links to neighbours keep page size and options. */
  link: (edge: { since: number } | { before: number }) => string;
};

/** The parameters of a thread read (spec/board.md §2.3). */
export function threadOptions(
  ctx: Context,
  query: ThreadQuery,
  id: number,
  url = `${ctx.config.baseUrl}/api/thread/${id}`,
): ThreadOptions {
  const { since, last, before = null, limit: sent } = query;
  const view = viewOptions(ctx, query);
  const text = query.format !== undefined;
  if (before !== null && (since > 0 || last > 0)) {
    throw new BoardError(
      'invalid_input',
      '`before` pages backwards on its own; leave out `since` and `last`.',
      { field: 'before' },
    );
  }
  const limit = last > 0 ? last : sent;
  const format = text ? 'text' : undefined;
  const { preview, full } = view;
  const parentMax = ctx.limits.parent_body_code_points;
  return {
    view,
    window: windowOf(since, last, before, limit),
    since,
    parentPreview: preview === 0 ? parentMax : Math.min(preview, parentMax),
    text,
    link: (edge) =>
      `${url}${canonical({ ...edge, limit, preview: preview || undefined, full, format })}`,
  };
}

function windowOf(
  since: number,
  last: number,
  before: number | null,
  limit: number,
): Window {
  if (before !== null) return { kind: 'before', edge: before, limit };
  if (last > 0) return { kind: 'last', edge: since, limit };
  return { kind: 'after', edge: since, limit };
}
