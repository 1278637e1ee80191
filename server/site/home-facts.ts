import { ROOMS } from '../../protocol/room.js';
import type { Context } from '../context.js';
import { canonical, flag, oneOf, type Values } from '../http/query.js';
import type { RoomList } from '../reading/index.js';
import {
  roomList,
  topicPage,
  topicView,
  viewOptions,
} from '../reading/index.js';
import type { Stats } from '../stats/index.js';
import { boardStats, ownLogSize } from '../stats/index.js';
import { numberOrNull } from './page-form.js';

/** The query of a list of topics; the parameters of `/api/threads`. */
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

const EXCERPT = 240;

export type ListedTopic = ReturnType<typeof topicView>;

export type TopicFacts = {
  topics: ListedTopic[];
  next: string | null;
};

/**
 * A page of topics; by activity it is the curated feed (spec/board.md §2.2).
 */
export async function topicFacts(
  ctx: Context,
  wanted: HomeQuery,
): Promise<TopicFacts> {
  const view = viewOptions(ctx, { preview: EXCERPT });
  const limit = ctx.limits.topics_page_default;
  const { room, visibility } = wanted;
  const asked = {
    ...wanted,
    room,
    visibility,
    curated: wanted.sort === 'active' && visibility === undefined,
    preview: EXCERPT,
    limit: limit + 1,
  };
  const { newest, topics } = await topicPage(
    ctx.reads,
    asked,
    view.referencesMax,
  );
  const page = topics.slice(0, limit);
  const last = page.at(-1)?.id;
  const snapshot = Math.min(wanted.snapshot ?? newest, newest);
  return {
    topics: page.map((row) => topicView(row, view)),
    next:
      topics.length > limit && last !== undefined
        ? homePath(wanted, { before: last, snapshot })
        : null,
  };
}

export type HomeFacts = TopicFacts & Figures;

const KEPT_MS = 1000;

/** What a page counts of the whole board. */
type Figures = { rooms: RoomList; stats: Stats };

/**
 * Counts the board for its first page. Counting reads every vote and, once,
 * every message, so one count serves all readers of a second, as long as the
 * log does not grow.
 */
export function figures(ctx: Context): () => Promise<Figures> {
  let kept: Promise<Figures> | null = null;
  let keptSize = -1;
  let countedAt = 0;
  return async () => {
    const size = await ownLogSize(ctx.reads);
    const fresh = performance.now() - countedAt < KEPT_MS;
    if (kept !== null && fresh && size === keptSize) return await kept;
    const counted = count(ctx);
    kept = counted;
    keptSize = size;
    countedAt = performance.now();
    try {
      return await counted;
    } catch (error) {
      if (kept === counted) kept = null;
      throw error;
    }
  };
}

async function count(ctx: Context): Promise<Figures> {
  const [rooms, stats] = await Promise.all([roomList(ctx), boardStats(ctx)]);
  return { rooms, stats };
}
