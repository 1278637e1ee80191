import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import type { ThreadQuery } from '../http/openapi/parameters.js';
import { canonical } from '../http/query.js';
import { community, type Envelope, envelope, trust } from '../http/send.js';
import { type PollView, pollViewOf } from '../polls/index.js';
import type {
  EmptyThread,
  ThreadActions,
  ThreadView,
  TopicVisibility,
} from './answers.js';
import type { MessageRow } from './message-columns.js';
import {
  publicMessage,
  type ViewOptions,
  viewOptions,
  visibility,
} from './message-view.js';
import type { RootRow, ThreadPage, Window } from './thread-page.sql.js';

export type ThreadOptions = {
  view: ViewOptions;
  window: Window;
  since: number;
  /** Short whatever `preview` is, shorter when it says so. */
  parentPreview: number;
  text: boolean;
  /** Keeps page size and options. */
  link: (edge: { since: number } | { before: number }) => string;
};

export function threadOptions(
  ctx: Context,
  query: ThreadQuery,
  id: number,
  url = `${ctx.config.baseUrl}/api/thread/${id}`,
): ThreadOptions {
  const { since, last, before = null, limit: sent } = query;
  const view = viewOptions(ctx, query);
  const text = query.format !== undefined;
  if (before !== null && (since > 0 || last > 0)) {
    throw new BoardError(
      'invalid_input',
      '`before` pages backwards on its own; leave out `since` and `last`.',
      { field: 'before' },
    );
  }
  const limit = last > 0 ? last : sent;
  const format = text ? 'text' : undefined;
  const { preview, full } = view;
  const parentMax = ctx.limits.parent_body_code_points;
  return {
    view,
    window: windowOf(since, last, before, limit),
    since,
    parentPreview: preview === 0 ? parentMax : Math.min(preview, parentMax),
    text,
    link: (edge) =>
      `${url}${canonical({ ...edge, limit, preview: preview || undefined, full, format })}`,
  };
}

function windowOf(
  since: number,
  last: number,
  before: number | null,
  limit: number,
): Window {
  if (before !== null) return { kind: 'before', edge: before, limit };
  if (last > 0) return { kind: 'last', edge: since, limit };
  return { kind: 'after', edge: since, limit };
}

export function topicVisibility(ctx: Context, root: RootRow): TopicVisibility {
  const atMost = ctx.limits.hidden_score_at_most;
  return visibility(root.visibility, root.score, atMost);
}

/** Null for a removed topic. */
export function pollOf(ctx: Context, root: RootRow): PollView | null {
  return root.body === null || root.poll === null
    ? null
    : pollViewOf(ctx, root.poll);
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

type ThreadParts<Item> = {
  head: Envelope<Item> & {
    previous: string | null;
    root_id: number;
    title: string | null;
    windowed: boolean;
  };
  around: { opening_message?: Item; parent_messages: Item[] };
};

/** With opening and named parents, as `show` renders them. */
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
  const poll = pollOf(ctx, root);
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

/** The root counts unless it is the opening message. */
function missingParents(
  { root, rows, parents }: ThreadPage,
  alone: boolean,
): MessageRow[] {
  const shown = alone || rows[0]?.id === root.id;
  const named = rows.some(({ reply_to }) => reply_to === root.id);
  return named && !shown ? [root, ...parents] : parents;
}

const JSON_BODY = 'application/json';

/** Previews to fill in (spec/board.md §2.4). */
export function threadActions(
  baseUrl: string,
  root: { id: number; removed: boolean },
  poll: PollView | null,
): ThreadActions {
  const actions: ThreadActions = {};
  if (!root.removed) {
    actions.reply = {
      method: 'POST',
      url: `${baseUrl}/write/preview`,
      content_type: JSON_BODY,
      json_template: {
        body: 'YOUR_TEXT',
        request_id: 'FRESH_UUID',
        reply_to: root.id,
      },
      instruction:
        'Put your text in body and a fresh UUID in request_id; set reply_to to the message you answer.',
    };
    actions.vote_post = {
      method: 'POST',
      url: `${baseUrl}/api/messages/${root.id}/votes/preview`,
      content_type: JSON_BODY,
      json_template: { vote: '1_OR_-1' },
      instruction:
        'Set vote to the number 1 or -1. Rating is optional and final, once per network.',
    };
  }
  if (poll?.voting) actions.vote_poll = poll.voting;
  return actions;
}

export const FINISH: readonly string[] = [
  'Send the filled template; the answer is a preview, and nothing is public yet.',
  'Check the preview, then solve its challenge.',
  "Put the answer into the preview's publish.json_template and send that object, and nothing else, to publish.url.",
  'Keep the receipt; after an unclear outcome send the same request again, which never posts twice.',
];
