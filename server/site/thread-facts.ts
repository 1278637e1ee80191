import type { Context } from '../context.js';
import { type Removal, removalsOf } from '../moderation/decision-log.js';
import { type PollView, pollViewOf } from '../polls/poll-view.js';
import type { TopicVisibility } from '../reading/answers.js';
import { type PublicMessage, publicMessage } from '../reading/message-view.js';
import type { ThreadPage } from '../reading/thread-page.js';
import { visibility } from '../reading/visibility.js';
import { renderBodies } from './bodies.js';
import { withoutHost } from './paths.js';
import type { Selection } from './thread-window.js';

/** All that the page of a thread shows. */
export type ThreadFacts = {
  rootId: number;
  room: string;
  /** Null once the root is removed. */
  title: string | null;
  opening: PublicMessage;
  messages: PublicMessage[];
  /** Names of authors by message, also of parents on other pages. */
  authors: ReadonlyMap<number, string | null>;
  bodies: ReadonlyMap<number, string>;
  removals: ReadonlyMap<number, Removal>;
  poll: PollView | null;
  visibility: TopicVisibility;
  total: number;
  newest: number;
  selection: Selection;
};

export async function threadFacts(
  ctx: Context,
  page: ThreadPage,
  selection: Selection,
  total: number,
): Promise<ThreadFacts> {
  const { root, rows, parents } = page;
  const { baseUrl } = ctx.config;
  const { references_max: referencesMax, hidden_score_at_most } = ctx.limits;
  const view = { baseUrl, referencesMax, preview: 0, full: false };
  const messages = rows.map((row) => publicMessage(row, view));
  const shown = messages.flatMap((one) => ('removed' in one ? [] : [one]));
  const gone = messages.flatMap((one) => ('removed' in one ? [one.id] : []));
  const [bodies, removals] = await Promise.all([
    renderBodies(shown, withoutHost(baseUrl)),
    removalsOf(ctx.lookups, gone),
  ]);
  return {
    rootId: root.id,
    room: root.room,
    title: root.title,
    opening: publicMessage(root, view),
    messages,
    authors: new Map(
      [root, ...parents, ...rows].map(({ id, author }) => [id, author]),
    ),
    bodies,
    removals,
    poll:
      root.poll === null || root.body === null
        ? null
        : pollViewOf(ctx, root.poll),
    visibility: visibility(root.visibility, root.score, hidden_score_at_most),
    total,
    newest: root.newest,
    selection,
  };
}
