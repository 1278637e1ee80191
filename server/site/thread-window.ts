import type { z } from 'zod';
import type { Context } from '../context.js';
import { canonical, integer } from '../http/query.js';
import type { Limits } from '../limits.js';
import {
  messageAtRank,
  rankAfter,
  type ThreadPlace,
  type Window,
} from '../reading/index.js';
import { numberOrNull, pageQuery } from './page-form.js';

export const PAGE_SIZE = 100;

/** `last`, `since`, `message` (spec/board.md §8), `before`, `page`, `seen`. */
export function threadRequest({ page_max: max }: Limits) {
  return pageQuery
    .extend({
      message: numberOrNull,
      seen: numberOrNull,
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

type ThreadRequest = z.output<ReturnType<typeof threadRequest>>;

export type Selection = {
  window: Window;
  /** From 1; null for other selections. */
  page: number | null;
  pages: number;
  /** Some messages did not fit. */
  isFull?: boolean;
};

/** Null: no such page. */
export async function selectWindow(
  ctx: Context,
  place: ThreadPlace,
  wanted: ThreadRequest,
): Promise<Selection | null> {
  const pages = Math.max(1, Math.ceil(place.total / PAGE_SIZE));
  const { since, before, message } = wanted;
  const free = (window: Window) => ({ window, page: null, pages });
  if (message === null) {
    if (before !== null) {
      return free({ kind: 'before', edge: before, limit: PAGE_SIZE });
    }
    if (wanted.last > 0) {
      return free({ kind: 'last', edge: since, limit: wanted.last });
    }
    if (since > 0) {
      return free({ kind: 'after', edge: since, limit: PAGE_SIZE });
    }
  }
  const page =
    wanted.page !== null && message === null
      ? wanted.page
      : Math.floor((await rankOf(ctx, place, wanted)) / PAGE_SIZE) + 1;
  if (page > pages) return null;
  const rank = (page - 1) * PAGE_SIZE - 1;
  const last =
    rank < 0 ? null : await messageAtRank(ctx.reads, place.root_id, rank);
  const window = { kind: 'after', edge: last ?? 0, limit: PAGE_SIZE } as const;
  return { window, page, pages };
}

/** Of the wanted message, or the first new one. */
async function rankOf(
  { reads }: Context,
  place: ThreadPlace,
  { message, seen }: ThreadRequest,
): Promise<number> {
  if (message !== null || seen === null) return place.rank;
  const before = await rankAfter(reads, place.root_id, seen);
  return Math.min(before, place.total - 1);
}

/** The first page's is the thread's. */
export function pagePath(rootId: number, page: number): string {
  return `/t/${rootId}${canonical({ page: page === 1 ? null : page })}`;
}
