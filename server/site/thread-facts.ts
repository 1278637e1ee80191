import type { Context } from '../context.js';
import { type Removal, removalsOf } from '../moderation/index.js';
import type { PollView } from '../polls/index.js';
import {
  type MessageRow,
  type PublicMessage,
  pollOf,
  publicMessage,
  type ThreadPage,
  type TopicVisibility,
  topicVisibility,
  viewOptions,
} from '../reading/index.js';
import { type Bodies, renderBodies, withoutHost } from './bodies.js';
import type { Link, Step, Steps } from './controls.js';
import { nextMinute } from './labels.js';
import { pagePath, type Selection } from './thread-window.js';

export type ThreadFacts = {
  rootId: number;
  room: string;
  /** Null once the root is removed. */
  title: string | null;
  opening: PublicMessage;
  messages: PublicMessage[];
  parents: ReadonlyMap<number, Pick<MessageRow, 'author' | 'body'>>;
  here: ReadonlySet<number>;
  firstReply: ReadonlyMap<number, number>;
  bodies: Bodies;
  /** So many of its messages do. */
  fits: number;
  removals: ReadonlyMap<number, Removal>;
  poll: PollView | null;
  visibility: TopicVisibility;
  /** Readable and removed ones. */
  replies: number;
  removed: number;
  newest: number;
  selection: Selection;
  /** Last message the reader has seen, or null. */
  seen: number | null;
  /** When the page changes by itself, in ms. */
  until: number;
};

export async function threadFacts(
  ctx: Context,
  page: ThreadPage,
  selection: Selection,
  total: number,
  seen: number | null,
): Promise<ThreadFacts> {
  const { root, rows, parents } = page;
  const now = ctx.clock.now();
  const view = viewOptions(ctx, { preview: 0 });
  const messages = rows.map((row) => publicMessage(row, view));
  const gone = messages.flatMap((one) => ('removed' in one ? [one.id] : []));
  const [{ bodies, fits }, removals] = await Promise.all([
    renderBodies(messages, withoutHost(view.baseUrl)),
    removalsOf(ctx.reads, gone),
  ]);
  return {
    rootId: root.id,
    room: root.room,
    title: root.title,
    opening: publicMessage(root, view),
    messages,
    parents: new Map([root, ...parents, ...rows].map((row) => [row.id, row])),
    here: new Set(messages.map(({ id }) => id)),
    // Reversed, as a key's last entry counts.
    firstReply: new Map(
      messages.toReversed().map(({ id, reply_to: to }) => [to ?? 0, id]),
    ),
    bodies,
    fits,
    removals,
    poll: pollOf(ctx, root),
    visibility: topicVisibility(ctx, root),
    replies: root.reply_count,
    removed: total - 1 - root.reply_count,
    newest: root.newest,
    selection,
    seen,
    until: Math.min(nextMinute(now), closesAt(page, now)),
  };
}

/** In ms; a poll closes without a write. */
export function closesAt({ root }: ThreadPage, now: number): number {
  const at = root.poll?.closes_at ?? now;
  return at > now ? at : Number.POSITIVE_INFINITY;
}

export function threadSteps(facts: ThreadFacts): Steps {
  const { rootId, messages, newest, selection } = facts;
  const { page, pages, isFull } = selection;
  const steps = (older: string | null, newer: string | null) => ({
    prev: ['Older', older] as Step,
    next: ['Next page', newer] as Step,
  });
  const first = messages[0]?.id ?? rootId;
  const last = messages.at(-1)?.id ?? newest;
  const newer = last < newest ? `/t/${rootId}?since=${last}` : null;
  if (page === null) {
    return steps(first > rootId ? `/t/${rootId}?before=${first}` : null, newer);
  }
  const near = [1, page - 1, page, page + 1, pages];
  const numbers = [...new Set(near)].filter((n) => n >= 1 && n <= pages);
  const numbered = (n: number, at: number): Link => ({
    href: pagePath(rootId, n),
    name: `${n}`,
    label: `Page ${n}`,
    current: n === page,
    gap: n > (numbers[at - 1] ?? 0) + 1,
  });
  return {
    ...steps(
      page > 1 ? pagePath(rootId, page - 1) : null,
      isFull ? newer : page < pages ? pagePath(rootId, page + 1) : null,
    ),
    pages: pages === 1 ? [] : numbers.map(numbered),
  };
}
