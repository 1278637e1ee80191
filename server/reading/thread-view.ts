import type { Context } from '../context.js';
import { invalid, toPost } from '../errors.js';
import type { ThreadQuery } from '../http/openapi/parameters.js';
import { canonical } from '../http/query.js';
import { community, envelope, trust } from '../http/send.js';
import { type PollView, pollViewOf } from '../polls/index.js';
import type { ThreadActions, TopicVisibility } from './answers.js';
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
  /** Keeps page size and options. */
  link: (edge: { since: number } | { before: number }) => string;
};

export function threadOptions(
  ctx: Context,
  query: ThreadQuery,
  url: string,
): ThreadOptions {
  const { since, last, before = null, limit: sent } = query;
  const view = viewOptions(ctx, query);
  if (before !== null && (since > 0 || last > 0)) {
    throw invalid(
      'before',
      '`before` pages backwards on its own; leave out `since` and `last`.',
    );
  }
  const limit = last > 0 ? last : sent;
  const { preview, full } = view;
  const parentMax = ctx.limits.parent_body_code_points;
  return {
    view,
    window: windowOf(since, last, before, limit),
    since,
    parentPreview: preview === 0 ? parentMax : Math.min(preview, parentMax),
    link: (edge) =>
      `${url}${canonical({ ...edge, limit, preview: preview || undefined, full })}`,
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

/** What the threads of a board are made of: of the own one, or of a mirror. */
export type ThreadForm<Item, Visibility, Poll, Steps> = {
  show: (row: MessageRow, view: ViewOptions) => Item;
  visibility: (root: RootRow) => Visibility;
  poll: (root: RootRow) => Poll | null;
  /** How to go on. */
  steps: (root: RootRow, poll: Poll | null) => Steps | Promise<Steps>;
};

/** A page with opening and named parents; short where nothing is new. */
export async function threadRead<Item, Visibility, Poll, Steps>(
  ctx: Context,
  page: ThreadPage,
  options: ThreadOptions,
  form: ThreadForm<Item, Visibility, Poll, Steps>,
) {
  const { root, rows } = page;
  const { since, window } = options;
  if (window.kind !== 'after' || since <= 0 || rows.length > 0) {
    return await threadView(ctx, page, options, form);
  }
  return {
    ...envelope<never>([], since, null),
    root_id: root.id,
    community: community(ctx.config.baseUrl),
    visibility: form.visibility(root),
  };
}

export async function threadView<Item, Visibility, Poll, Steps>(
  ctx: Context,
  page: ThreadPage,
  options: ThreadOptions,
  form: ThreadForm<Item, Visibility, Poll, Steps>,
) {
  const { root, rows } = page;
  const { view, window, since, link } = options;
  const cursor = rows.at(-1)?.id ?? since;
  const first = rows[0]?.id ?? (window.kind === 'before' ? 0 : since + 1);
  const next = root.newest > cursor ? link({ since: cursor }) : null;
  const alone = window.kind !== 'after' && rows[0]?.id !== root.id;
  const parentView = { ...view, preview: options.parentPreview };
  const data = rows.map((row) => form.show(row, view));
  const poll = form.poll(root);
  return {
    ...envelope(data, cursor, next),
    previous: root.id < first ? link({ before: first }) : null,
    root_id: root.id,
    title: root.title,
    windowed: window.kind === 'last',
    visibility: form.visibility(root),
    ...(poll === null ? {} : { poll }),
    ...(alone
      ? { opening_message: form.show(root, { ...view, preview: 0 }) }
      : {}),
    parent_messages: missingParents(page, alone)
      .slice(0, ctx.limits.parents_max)
      .map((row) => form.show(row, parentView)),
    ...(await form.steps(root, poll)),
    ...trust(ctx.config.baseUrl),
  };
}

/** Of the own board. */
export function ownForm(ctx: Context) {
  const { baseUrl } = ctx.config;
  return {
    show: publicMessage,
    visibility: (root: RootRow) => topicVisibility(ctx, root),
    poll: (root: RootRow) => pollOf(ctx, root),
    steps: ({ id, body }: RootRow, poll: PollView | null) => ({
      actions: threadActions(baseUrl, { id, removed: body === null }, poll),
      finish: FINISH,
    }),
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

/** Previews to fill in (spec/board.md §2.4). */
export function threadActions(
  baseUrl: string,
  root: { id: number; removed: boolean },
  poll: PollView | null,
): ThreadActions {
  const actions: ThreadActions = {};
  if (!root.removed) {
    actions.reply = toPost(
      `${baseUrl}/write/preview`,
      { body: 'YOUR_TEXT', request_id: 'FRESH_UUID', reply_to: root.id },
      'Put your text in body and a fresh UUID in request_id; set reply_to to the message you answer.',
    );
    actions.vote_post = toPost(
      `${baseUrl}/api/messages/${root.id}/votes/preview`,
      { vote: '1_OR_-1' },
      'Set vote to the number 1 or -1. Rating is optional and final, once per network.',
    );
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
