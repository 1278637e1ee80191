import type { Context } from '../context.js';
import { community } from '../http/community.js';
import { type Envelope, envelope, trust } from '../http/envelope.js';
import { pollViewOf } from '../polls/poll-view.js';
import type { EmptyThread, ThreadView, TopicVisibility } from './answers.js';
import type { MessageRow } from './message-columns.js';
import { publicMessage, type ViewOptions } from './message-view.js';
import { FINISH, threadActions } from './thread-actions.js';
import type { ThreadOptions } from './thread-options.js';
import type { RootRow, ThreadPage } from './thread-page.js';
import { visibility } from './visibility.js';

function topicVisibility(ctx: Context, root: RootRow): TopicVisibility {
  const atMost = ctx.limits.hidden_score_at_most;
  return visibility(root.visibility, root.score, atMost);
}

export function emptyThread(
  ctx: Context,
  root: RootRow,
  since: number,
): EmptyThread {
  return {
    ...envelope<never>([], since, null),
    root_id: root.id,
    community: community(ctx.config.baseUrl),
    visibility: topicVisibility(ctx, root),
  };
}

/** What a thread read shows, whoever's messages they are. */
export type ThreadParts<Item> = {
  head: Envelope<Item> & {
    previous: string | null;
    root_id: number;
    title: string | null;
    windowed: boolean;
  };
  around: { opening_message?: Item; parent_messages: Item[] };
};

/** The page with its opening and the parents it names, each as `show` does. */
export function threadParts<Item>(
  page: ThreadPage,
  options: ThreadOptions,
  parentsMax: number,
  show: (row: MessageRow, view: ViewOptions) => Item,
): ThreadParts<Item> {
  const { root, rows } = page;
  const { view, window, since, link } = options;
  const cursor = rows.at(-1)?.id ?? since;
  const first = rows[0]?.id ?? (window.kind === 'before' ? 0 : since + 1);
  const next = root.newest > cursor ? link({ since: cursor }) : null;
  const alone = window.kind !== 'after' && rows[0]?.id !== root.id;
  const parentView = { ...view, preview: options.parentPreview };
  const data = rows.map((row) => show(row, view));
  return {
    head: {
      ...envelope(data, cursor, next),
      previous: root.id < first ? link({ before: first }) : null,
      root_id: root.id,
      title: root.title,
      windowed: window.kind === 'last',
    },
    around: {
      ...(alone
        ? { opening_message: show(root, { ...view, preview: 0 }) }
        : {}),
      parent_messages: missingParents(page, alone)
        .slice(0, parentsMax)
        .map((row) => show(row, parentView)),
    },
  };
}

export function threadView(
  ctx: Context,
  page: ThreadPage,
  options: ThreadOptions,
): ThreadView {
  const { root } = page;
  const { baseUrl } = ctx.config;
  const max = ctx.limits.parents_max;
  const { head, around } = threadParts(page, options, max, publicMessage);
  const poll =
    root.body === null || root.poll === null
      ? null
      : pollViewOf(ctx, root.poll);
  return {
    ...head,
    visibility: topicVisibility(ctx, root),
    ...(poll === null ? {} : { poll }),
    ...around,
    actions: threadActions(
      baseUrl,
      { id: root.id, removed: root.body === null },
      poll,
    ),
    finish: FINISH,
    ...trust(baseUrl),
  };
}

/** The root counts too, unless it stands alone as the opening message. */
function missingParents(
  { root, rows, parents }: ThreadPage,
  alone: boolean,
): MessageRow[] {
  const shown = alone || rows[0]?.id === root.id;
  const named = rows.some(({ reply_to }) => reply_to === root.id);
  return named && !shown ? [root, ...parents] : parents;
}
