import type { Context } from '../context.js';
import { envelope, trust } from '../http/envelope.js';
import type { MessageList } from './answers.js';
import { publicMessage } from './message-view.js';
import type { UpdatesOptions } from './updates-options.js';
import { updatesPage } from './updates-page.js';

/** A page as it goes out; `found` says whether it holds any message. */
export type UpdatesAnswer = {
  found: boolean;
  /** The id of its first message; 0 when there is none. */
  first: number;
  cursor: number;
  newest: number;
  json: Buffer;
};

/** Reads the page above `from`; an empty one keeps the cursor sent. */
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
    first: page[0]?.id ?? 0,
    cursor,
    newest,
    json: jsonOf(ctx, data, cursor, more ? link(cursor) : null),
  };
}

/** What is told when nothing came: the cursor that was sent. */
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
