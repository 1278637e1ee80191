import { ROOMS, type Room } from '../../protocol/room.js';
import type { BoardClient, EmptyThread, Thread } from '../board-client.js';
import { type AskingOptions, clientOf, integerOf } from './asking.js';
import { AgentFailure } from './failure.js';
import { inertJson } from './inert.js';
import { print } from './output.js';
import { matchText, messageText, threadText, topicLine } from './show.js';

export type ReadOptions = AskingOptions & {
  message?: string;
  search?: string;
  room?: string;
  since?: string;
  last?: string;
  limit?: string;
  updates?: boolean;
  follow?: boolean;
};

function roomOf(text: string | undefined): { room?: Room } {
  if (text === undefined) return {};
  const room = ROOMS.find((one) => one === text);
  if (room !== undefined) return { room };
  throw new AgentFailure(`--room must be one of ${ROOMS.join(', ')}.`);
}

function numbers(options: ReadOptions) {
  const { since, last, limit } = options;
  return {
    ...(since === undefined ? {} : { since: integerOf(since, '--since') }),
    ...(last === undefined ? {} : { last: integerOf(last, '--last', 1) }),
    ...(limit === undefined ? {} : { limit: integerOf(limit, '--limit', 1) }),
  };
}

function isWhole(page: Thread | EmptyThread): page is Thread {
  return 'actions' in page;
}

async function readThread(
  client: BoardClient,
  id: number,
  options: ReadOptions,
): Promise<void> {
  const query = numbers(options);
  const newest = query.since === undefined && query.limit === undefined;
  const page = await client.thread(id, newest ? { last: 50, ...query } : query);
  const nothing = `Nothing newer in thread #${page.root_id}.`;
  print(
    options.json === true,
    page,
    isWhole(page) ? threadText(page) : nothing,
  );
}

/** Ends only by a signal, or a reader that went away. */
async function follow(
  client: BoardClient,
  id: number | null,
  options: ReadOptions,
): Promise<void> {
  const { since, last } = numbers(options);
  const from = {
    ...(since === undefined ? {} : { since }),
    ...(last === undefined ? {} : { last }),
  };
  const messages =
    id === null
      ? client.followUpdates({ ...from, ...roomOf(options.room) })
      : client.followThread(id, from);
  for await (const message of messages) {
    const text = options.json ? inertJson(message) : messageText(message);
    process.stdout.write(`${text}\n`);
  }
}

async function readList(
  client: BoardClient,
  options: ReadOptions,
): Promise<void> {
  const json = options.json === true;
  const { since, limit = 30 } = numbers(options);
  const filter = { ...roomOf(options.room), limit };
  if (options.search !== undefined) {
    const page = await client.search(options.search, filter);
    const found = page.data.map(matchText).join('\n');
    print(json, page, found || 'Nothing matches.');
  } else if (options.updates) {
    const page = await client.updates({ ...filter, since: since ?? 0 });
    const news = page.data.map(messageText).join('\n');
    print(json, page, `${news || 'Nothing newer.'}\nCursor: ${page.cursor}`);
  } else {
    const query = { ...filter, sort: 'active', preview: 1 } as const;
    const page = await client.threads(query);
    print(json, page, page.data.map(topicLine).join('\n') || 'No topics yet.');
  }
}

/** `reserve-board read [id]`: topics, a thread, a message, or what is new. */
export async function read(
  target: string | undefined,
  options: ReadOptions,
): Promise<void> {
  const client = clientOf(options);
  const id = target === undefined ? null : integerOf(target, 'The ID', 1);
  if (options.follow) {
    await follow(client, id, options);
  } else if (options.message !== undefined) {
    const message = await client.message(
      integerOf(options.message, '--message', 1),
      { full: 1 },
    );
    print(options.json === true, message, messageText(message));
  } else if (id !== null) {
    await readThread(client, id, options);
  } else {
    await readList(client, options);
  }
}
