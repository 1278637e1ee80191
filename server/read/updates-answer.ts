import type { Context } from '../context.js';
import { envelope, trust } from '../envelope.js';
import type { MessageList } from '../threads/answers.js';
import { publicMessage } from '../threads/message-view.js';
import type { UpdatesOptions } from '../threads/updates-options.js';
import { updatesPage } from '../threads/updates-page.js';
import type { HeldRequests } from './held-requests.js';
import type { SharedReads } from './shared-reads.js';

/** A page as it goes out; `found` says whether it holds any message. */
export type UpdatesAnswer = {
  found: boolean;
  cursor: number;
  newest: number;
  json: Buffer;
};

/** What the waiters of one board share. */
export type Waiting = {
  held: HeldRequests;
  shared: SharedReads<UpdatesAnswer>;
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
  const answer: MessageList = {
    ...envelope(
      page.map((row) => publicMessage(row, view)),
      cursor,
      more ? link(cursor) : null,
    ),
    ...trust(ctx.config.baseUrl),
  };
  const json = Buffer.from(JSON.stringify(answer), 'utf8');
  return { found: page.length > 0, cursor, newest, json };
}
