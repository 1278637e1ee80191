import type { Context } from '../context.js';
import { topicPage } from '../reading/threads-page.js';
import { topicView } from '../reading/topic-view.js';
import type { Figures } from './figures.js';
import { type HomeQuery, homePath, topicsPerPage } from './home-query.js';

const EXCERPT = 240;

export type ListedTopic = ReturnType<typeof topicView>;

export type TopicFacts = {
  topics: ListedTopic[];
  /** The following page's path, or null. */
  next: string | null;
};

/**
 * A page of topics; by activity it is the curated feed (spec/board.md §2.2).
 */
export async function topicFacts(
  ctx: Context,
  wanted: HomeQuery,
): Promise<TopicFacts> {
  const { references_max: referencesMax } = ctx.limits;
  const { baseUrl } = ctx.config;
  const limit = topicsPerPage(ctx);
  const { room, visibility } = wanted;
  const asked = {
    ...wanted,
    room,
    visibility,
    curated: wanted.sort === 'active' && visibility === undefined,
    preview: EXCERPT,
    limit: limit + 1,
  };
  const { newest, topics } = await topicPage(ctx.lookups, asked, referencesMax);
  const page = topics.slice(0, limit);
  const last = page.at(-1)?.id;
  const snapshot = Math.min(wanted.snapshot ?? newest, newest);
  const view = { baseUrl, referencesMax, preview: EXCERPT, full: false };
  return {
    topics: page.map((row) => topicView(row, view)),
    next:
      topics.length > limit && last !== undefined
        ? homePath(wanted, { before: last, snapshot })
        : null,
  };
}

export type HomeFacts = TopicFacts & Figures;
