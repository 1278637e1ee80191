import { ROOMS, type Room } from '../../protocol/room.js';
import type { Context } from '../context.js';
import { canonical, type QueryReader } from '../http/query.js';

/** What a list of topics was asked for; the parameters of `/api/threads`. */
export type HomeQuery = {
  room: Room | undefined;
  sort: 'active' | 'new';
  visibility: 'hidden' | 'all' | undefined;
  unanswered: boolean;
  before: number | null;
  snapshot: number | null;
};

export function homeQuery(query: QueryReader): HomeQuery {
  return {
    room: query.oneOf('room', ROOMS),
    sort: query.oneOf('sort', ['active', 'new']) ?? 'active',
    visibility: query.oneOf('visibility', ['hidden', 'all']),
    unanswered: query.flag('unanswered'),
    before: query.integer('before', { default: null }),
    snapshot: query.integer('snapshot', { default: null }),
  };
}

/** The list's address with some choices changed, from its first page. */
export function homePath(
  now: Partial<HomeQuery>,
  changed: Partial<HomeQuery> = {},
): string {
  const { before, snapshot, ...kept } = now;
  const { sort, ...rest } = { ...kept, ...changed };
  return `/${canonical({ ...rest, sort: sort === 'new' ? sort : undefined })}`;
}

/** Topics on one page. */
export const topicsPerPage = (ctx: Context) => ctx.limits.topics_page_default;
