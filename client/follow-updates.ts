import { readCount, readList, readObject } from '../protocol/json.js';
import type { List, MessageOrTombstone } from './answers.js';
import { pause, persistently, type Waiting } from './back-off.js';
import { strange } from './failures.js';
import type { Reads, UpdatesQuery } from './reads.js';

export type Following = Waiting & { now: () => number };

/** By ID, each once. `cursor` is the last message's: keep it to resume. */
export type Follower = AsyncGenerator<MessageOrTombstone, void, void> & {
  readonly cursor: number;
};

const WAIT_SECONDS = 25;
/** An earlier empty answer was no long poll: slow down. */
const HURRIED_MS = 1000;

/** @throws ClientRefusal `not_a_board` for anything but messages */
export function messagesOf({
  data,
}: Pick<List<MessageOrTombstone>, 'data'>): MessageOrTombstone[] {
  const known = readList(data, Infinity, (one) =>
    readCount(readObject(one)?.id) === null
      ? null
      : (one as MessageOrTombstone),
  );
  if (known === null) throw strange('lists what are no messages');
  return known;
}

export async function newestCursor(
  reads: Pick<Reads, 'threads'>,
  following: Following,
): Promise<number> {
  const page = await persistently(
    () => reads.threads({ limit: 1, preview: 1 }, following),
    following,
  );
  const cursor = readCount(page.cursor);
  if (cursor === null) throw strange('shows no cursor');
  return cursor;
}

/** Above `since`; empty when the wait ran out. */
export async function* pagesOfUpdates(
  reads: Pick<Reads, 'updates'>,
  query: UpdatesQuery & { since: number },
  following: Following,
): AsyncGenerator<List<MessageOrTombstone>, void, void> {
  const { now, random, signal, sleep } = following;
  const { limit = 100, wait = WAIT_SECONDS } = query;
  let { since } = query;
  for (let idle = 0; ; ) {
    const asked = now();
    const page = await persistently(
      () => reads.updates({ ...query, limit, wait, since }, following),
      following,
    );
    const data = messagesOf(page).filter(({ id }) => id > since);
    since = data.at(-1)?.id ?? since;
    yield { ...page, data, count: data.length };
    const hurried = data.length === 0 && now() - asked < HURRIED_MS;
    idle = hurried ? idle + 1 : 0;
    if (hurried) await sleep(pause(idle, null, random), signal);
  }
}

/**
 * By long polls (spec/board.md §2.1). Without `since` from the next message,
 * with 0 from the first. Ends by `signal`, which rejects, or by leaving the
 * loop.
 */
export function followUpdates(
  reads: Pick<Reads, 'updates' | 'threads'>,
  query: UpdatesQuery,
  following: Following,
): Follower {
  let cursor = query.since ?? 0;
  async function* messages(): AsyncGenerator<MessageOrTombstone, void, void> {
    if (query.since === undefined) {
      cursor = await newestCursor(reads, following);
    }
    const from = { ...query, since: cursor };
    for await (const { data } of pagesOfUpdates(reads, from, following)) {
      for (const message of data) {
        cursor = message.id;
        yield message;
      }
    }
  }
  return withCursor(messages(), () => cursor);
}

export function withCursor(
  messages: AsyncGenerator<MessageOrTombstone, void, void>,
  cursor: () => number,
): Follower {
  return Object.defineProperty(messages, 'cursor', { get: cursor }) as Follower;
}
