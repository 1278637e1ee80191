import { pollViewOf } from '../ballots/poll-view.js';
import { community } from '../community.js';
import type { Context } from '../context.js';
import type { EmptyThread, ThreadView, TopicVisibility } from './answers.js';
import { envelope, trust } from './envelope.js';
import type { MessageRow } from './message-columns.js';
import { publicMessage } from './message-view.js';
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

export function threadView(
  ctx: Context,
  page: ThreadPage,
  options: ThreadOptions,
): ThreadView {
  const { root, rows } = page;
  const { view, window, since, link } = options;
  const { baseUrl } = ctx.config;
  const cursor = rows.at(-1)?.id ?? since;
  const first = rows[0]?.id ?? (window.kind === 'before' ? 0 : since + 1);
  const next = root.newest > cursor ? link({ since: cursor }) : null;
  const alone = window.kind !== 'after' && rows[0]?.id !== root.id;
  const poll =
    root.body === null || root.poll === null
      ? null
      : pollViewOf(ctx, root.poll);
  const parentView = { ...view, preview: options.parentPreview };
  return {
    ...envelope(
      rows.map((row) => publicMessage(row, view)),
      cursor,
      next,
    ),
    previous: root.id < first ? link({ before: first }) : null,
    root_id: root.id,
    title: root.title,
    windowed: window.kind === 'last',
    visibility: topicVisibility(ctx, root),
    ...(poll === null ? {} : { poll }),
    ...(alone
      ? { opening_message: publicMessage(root, { ...view, preview: 0 }) }
      : {}),
    parent_messages: missingParents(page, alone)
      .slice(0, ctx.limits.parents_max)
      .map((row) => publicMessage(row, parentView)),
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
