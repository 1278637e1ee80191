import { ROOMS } from '../../protocol/room.js';
import type { Context } from '../context.js';
import { canonical } from '../http/query.js';
import { flag, oneOf, type Values } from '../http/query-fields.js';
import { numberOrNull } from './page-fields.js';

/** What a list of topics is asked with; the parameters of `/api/threads`. */
export const homeFields = {
  room: oneOf(ROOMS).optional(),
  sort: oneOf(['active', 'new']).default('active'),
  visibility: oneOf(['hidden', 'all']).optional(),
  unanswered: flag()
    .optional()
    .transform((sent) => sent !== undefined),
  before: numberOrNull,
  snapshot: numberOrNull,
};

export type HomeQuery = Values<typeof homeFields>;

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
