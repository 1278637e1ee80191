import type { Context } from '../context.js';
import type { QueryReader } from '../http/query.js';
import type { ViewOptions } from './message-view.js';

/** `preview` and `full` of a read; they do not change each other. */
export function viewOptions(
  ctx: Context,
  query: QueryReader,
  previewDefault = 0,
): ViewOptions {
  return {
    baseUrl: ctx.config.baseUrl,
    referencesMax: ctx.limits.references_max,
    preview: query.integer('preview', {
      max: ctx.limits.preview_max,
      default: previewDefault,
    }),
    full: query.flag('full'),
  };
}

/** `limit` of a list: 1 to the largest page (spec/board.md §1.4). */
export function pageLimit(
  ctx: Context,
  query: QueryReader,
  byDefault: number,
): number {
  const max = ctx.limits.page_max;
  return query.integer('limit', { min: 1, max, default: byDefault });
}
