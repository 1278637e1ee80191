import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { cutCodePoints } from '../http/code-points.js';
import type { UpdatesQuery as SentQuery } from '../http/openapi/parameters.js';
import { canonical } from '../http/query.js';
import { envelope, trust } from '../http/send.js';
import type { MessageList } from './answers.js';
import type { MessageRow } from './message-columns.js';
import {
  publicMessage,
  type ViewOptions,
  viewOptions,
} from './message-view.js';
import type { Wanted } from './message-waits.js';
import { isAsked, type UpdatesQuery, updatesPage } from './updates-page.sql.js';

export type UpdatesOptions = {
  query: UpdatesQuery;
  view: ViewOptions;
  since: number;
  /** Seconds. */
  wait: number;
  /** Of the options without `since`. */
  key: string;
  link: (since: number) => string;
};

export function updatesOptions(
  ctx: Context,
  sent: SentQuery,
  url = `${ctx.config.baseUrl}/api/updates`,
): UpdatesOptions {
  const view = viewOptions(ctx, sent);
  const query = {
    room: sent.room,
    replyTo: sent.reply_to ?? null,
    visibility: sent.visibility,
    limit: sent.limit,
    preview: view.preview,
  };
  const { since, wait } = sent;
  const options = {
    room: sent.room,
    visibility: sent.visibility,
    limit: sent.limit,
    preview: view.preview || undefined,
    reply_to: sent.reply_to,
    full: view.full,
    wait: wait || undefined,
  };
  return {
    query,
    view,
    since,
    wait,
    key: canonical(options),
    link: (edge) => `${url}${canonical({ since: edge, ...options })}`,
  };
}

export function wantedUpdates(
  ctx: Context,
  options: UpdatesOptions,
  ahead = cursorAhead,
): Wanted<MessageList> {
  const { query, view, since, key } = options;
  const page = (rows: readonly MessageRow[], newest: number) =>
    pageOf(ctx, options, rows, ahead(since, newest));
  return {
    since,
    key,
    look: async () => {
      const { newest, rows } = await updatesPage(
        ctx.reads,
        { ...query, limit: query.limit + 1 },
        since,
        view.referencesMax,
      );
      return { newest, found: rows.length > 0, page: page(rows, newest) };
    },
    wants: (message) => isAsked(query, message),
    page: (messages, newest) => {
      const isCut = messages.some(({ body }) => endsInReference(body, view));
      return isCut ? null : page(messages, newest);
    },
  };
}

/** A cut turns `#123` into `#12`, which may exist as well. */
export function endsInReference(
  body: string | null,
  { preview }: ViewOptions,
): boolean {
  if (body === null || preview === 0) return false;
  return /#[0-9]+$/.test(cutCodePoints(body, preview));
}

/** Where a restored board or a replica may be behind. */
const MAX_AHEAD = 1_000_000;

/**
 * Of an answer to `since`; nothing for a cursor that is not ahead
 * (spec/board.md §2.5).
 * @throws BoardError `invalid_input` for what can be no cursor, such as a time
 */
export function cursorAhead(
  since: number,
  newest: number,
): { cursor_ahead?: true; newest_id?: number } {
  if (since > newest + MAX_AHEAD) {
    throw new BoardError(
      'invalid_input',
      `\`since\` is the ID of a message, and the newest here is ${newest}; a time is no cursor, nor is the cursor of another list. For what is new from now on send since=${newest}, for everything since=0.`,
      { field: 'since', current: { newest_id: newest } },
    );
  }
  return since > newest ? { cursor_ahead: true, newest_id: newest } : {};
}

/** An empty page keeps the cursor sent. */
function pageOf(
  ctx: Context,
  { query, view, since, link }: UpdatesOptions,
  rows: readonly MessageRow[],
  ahead: ReturnType<typeof cursorAhead>,
): MessageList {
  const page = rows.slice(0, query.limit);
  const cursor = page.at(-1)?.id ?? since;
  const next = rows.length > page.length ? link(cursor) : null;
  const data = page.map((row) => publicMessage(row, view));
  return {
    ...envelope(data, cursor, next),
    ...ahead,
    ...trust(ctx.config.baseUrl),
  };
}
