import { LRUCache } from 'lru-cache';
import { ROOMS } from '../../protocol/room.js';
import type { Context } from '../context.js';
import { canonical, flag, oneOf, type Values } from '../http/query.js';
import {
  type FrontFacts,
  type RoomList,
  roomList,
  topicPage,
  topicView,
  viewOptions,
} from '../reading/index.js';
import { boardStats, ownLogSize, type Stats } from '../stats/index.js';
import { EXCERPT_SOURCE } from './bodies.js';
import { numberOrNull } from './page-form.js';

/** Like `/api/threads`. */
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

export function homePath(
  now: Partial<HomeQuery>,
  changed: Partial<HomeQuery> = {},
): string {
  const { before, snapshot, ...kept } = now;
  const { sort, ...rest } = { ...kept, ...changed };
  return `/${canonical({ ...rest, sort: sort === 'new' ? sort : undefined })}`;
}

type Extent = { excerpt?: number; most?: number };

export type ListedTopic = ReturnType<typeof topicView>;

export type TopicFacts = {
  topics: ListedTopic[];
  next: string | null;
};

/** By activity it is the curated feed (spec/board.md §2.2). */
export async function topicFacts(
  ctx: Context,
  wanted: HomeQuery,
  { excerpt = EXCERPT_SOURCE, most = Number.POSITIVE_INFINITY }: Extent = {},
): Promise<TopicFacts> {
  const view = viewOptions(ctx, { preview: excerpt });
  const asked = {
    ...wanted,
    curated: wanted.sort === 'active' && wanted.visibility === undefined,
    preview: excerpt,
    limit: Math.min(most, ctx.limits.topics_page_default),
  };
  const page = await topicPage(ctx.reads, asked, view.referencesMax);
  const { snapshot, nextBefore: before } = page;
  return {
    topics: page.topics.map((row) => topicView(row, view)),
    next: before === null ? null : homePath(wanted, { before, snapshot }),
  };
}

/** Null where counting failed. */
export type HomeFacts = TopicFacts & { front: FrontFacts } & (
    | Figures
    | { [F in keyof Figures]: null }
  );

const KEPT_MS = 1000;

type Figures = { rooms: RoomList; stats: Stats };

/** Counting reads every vote: one count serves a second. */
export function figures(ctx: Context): () => Promise<Figures> {
  const bySize = new LRUCache<number, Figures>({
    max: 1,
    ttl: KEPT_MS,
    fetchMethod: async () => {
      const counted = await Promise.all([roomList(ctx), boardStats(ctx)]);
      return { rooms: counted[0], stats: counted[1] };
    },
    ignoreFetchAbort: true, // also for those whose size is not the last any more
  });
  return async () => await bySize.forceFetch(await ownLogSize(ctx.reads));
}
