import type { Context } from '../context.js';
import type { UpdatesQuery as SentQuery } from '../http/openapi/parameters.js';
import { canonical } from '../http/query.js';
import { costOfList, envelope, trust } from '../http/send.js';
import type { MessageList } from './answers.js';
import {
  publicMessage,
  type ViewOptions,
  viewOptions,
} from './message-view.js';
import { type UpdatesQuery, updatesPage } from './updates-page.sql.js';

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
  const { replyTo, ...same } = query;
  const options = {
    ...same,
    reply_to: replyTo,
    preview: view.preview || undefined,
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

export type UpdatesAnswer = {
  found: boolean;
  cost: number;
  /** ID of its first message; 0 for none. */
  first: number;
  cursor: number;
  newest: number;
  json: Buffer;
};

/** An empty page keeps the cursor sent. */
export async function answerFrom(
  ctx: Context,
  { query, view, since, link }: UpdatesOptions,
  from: number,
): Promise<UpdatesAnswer> {
  const { newest, rows } = await updatesPage(
    ctx.reads,
    { ...query, limit: query.limit + 1 },
    from,
    view.referencesMax,
  );
  const page = rows.slice(0, query.limit);
  const cursor = page.at(-1)?.id ?? since;
  const more = rows.length > page.length;
  const data = page.map((row) => publicMessage(row, view));
  return {
    found: page.length > 0,
    cost: costOfList(page.length),
    first: page[0]?.id ?? 0,
    cursor,
    newest,
    json: jsonOf(ctx, data, cursor, more ? link(cursor) : null),
  };
}

/** Keeps the cursor sent. */
export function nothingSince(ctx: Context, since: number): Buffer {
  return jsonOf(ctx, [], since, null);
}

function jsonOf(
  ctx: Context,
  data: MessageList['data'],
  cursor: number,
  next: string | null,
): Buffer {
  const answer: MessageList = {
    ...envelope(data, cursor, next),
    ...trust(ctx.config.baseUrl),
  };
  return Buffer.from(JSON.stringify(answer), 'utf8');
}
