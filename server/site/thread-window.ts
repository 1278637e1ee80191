import type { z } from 'zod';
import type { Context } from '../context.js';
import { canonical, integer } from '../http/query.js';
import type { Limits } from '../limits.js';
import {
  messageAtRank,
  type ThreadPlace,
  type Window,
} from '../reading/index.js';
import { numberOrNull, pageQuery } from './page-form.js';

/** Messages on one page of a thread. */
export const PAGE_SIZE = 100;

/**
 * The query of a thread's page: `last`, `since`, `message` (spec/board.md §8),
 * `before`, `page`.
 */
export function threadRequest({ page_max: max }: Limits) {
  return pageQuery
    .extend({
      message: numberOrNull,
      since: integer().default(0),
      last: integer({ max }).default(0),
      before: numberOrNull,
      page: integer({ min: 1 }).nullable().default(null),
    })
    .refine(
      ({ before, since, last }) =>
        before === null || (since === 0 && last === 0),
      {
        path: ['before'],
        error: 'pages backwards on its own; leave out `since` and `last`.',
      },
    );
}

export type ThreadRequest = z.output<ReturnType<typeof threadRequest>>;

export type Selection = {
  window: Window;
  /** Its number from 1, when the selection is one of the thread's pages. */
  page: number | null;
  pages: number;
};

/** The part of a thread to show; null: it has no such page. */
export async function selectWindow(
  ctx: Context,
  place: ThreadPlace,
  wanted: ThreadRequest,
): Promise<Selection | null> {
  const pages = Math.max(1, Math.ceil(place.total / PAGE_SIZE));
  const { since, last, before, message } = wanted;
  const free = (window: Window) => ({ window, page: null, pages });
  if (message === null) {
    if (before !== null) {
      return free({ kind: 'before', edge: before, limit: PAGE_SIZE });
    }
    if (last > 0) return free({ kind: 'last', edge: since, limit: last });
    if (since > 0) {
      return free({ kind: 'after', edge: since, limit: PAGE_SIZE });
    }
  }
  const page =
    message === null
      ? (wanted.page ?? 1)
      : Math.floor(place.rank / PAGE_SIZE) + 1;
  if (page > pages) return null;
  const edge = await edgeOf(ctx, place.root_id, page);
  return { window: { kind: 'after', edge, limit: PAGE_SIZE }, page, pages };
}

/** The last message of the page before; 0 before the first page. */
async function edgeOf(
  ctx: Context,
  rootId: number,
  page: number,
): Promise<number> {
  if (page === 1) return 0;
  const rank = (page - 1) * PAGE_SIZE - 1;
  return (await messageAtRank(ctx.reads, rootId, rank)) ?? 0;
}

/** The address of a page of a thread; the first one is the thread's own. */
export function pagePath(rootId: number, page: number): string {
  return `/t/${rootId}${canonical({ page: page === 1 ? null : page })}`;
}
