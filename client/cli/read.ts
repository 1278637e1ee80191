import { isAgentId } from '../../protocol/agent-id.js';
import { ROOMS } from '../../protocol/room.js';
import type { BoardClient } from '../board-client.js';
import { assertApply } from './applying.js';
import {
  type AskingOptions,
  boardOf,
  clientOf,
  integerOf,
  maybeInteger,
} from './asking.js';
import { AgentFailure } from './failure.js';
import { fromCursor } from './inbox.js';
import { inertJson, inertLine, line } from './inert.js';
import { sayInert } from './look-ups.js';
import { print } from './output.js';
import { matchText, messageText, threadText, topicLine } from './show.js';
import { say, whenOutputIsLost } from './standard-output.js';

type ReadOptions = AskingOptions & {
  message?: string;
  search?: string;
  match?: string;
  author?: string;
  room?: string;
  since?: string;
  before?: string;
  last?: string;
  maxBytes?: string;
  limit?: string;
  updates?: boolean;
  cursorFile?: string;
  follow?: boolean;
};

const PLACES = {
  message: 'no thread and no other kind of reading',
  search: 'no thread and no other kind of reading',
  updates: 'no thread and no other kind of reading',
  follow: 'a thread, or with no other kind of reading',
  cursorFile: '--updates',
  since: 'a thread, --updates or --follow',
  before: 'a search',
  last: 'a thread',
  maxBytes: 'a thread',
  limit: 'a thread, a list, --search or --updates',
  room: 'a list, --search, --updates or --follow',
  match: 'a search',
  author: 'a search',
} as const;

type Kind = readonly [task: string, applying: (keyof typeof PLACES)[]];

function kindOf(id: number | null, options: ReadOptions): Kind {
  if (id !== null && options.follow) {
    return ['a thread that is followed', ['follow', 'since', 'last']];
  }
  if (id !== null && options.maxBytes !== undefined) {
    return ['what matters of a thread', ['maxBytes']];
  }
  if (id !== null) return ['a thread', ['since', 'last', 'limit']];
  if (options.message !== undefined) return ['one message', ['message']];
  if (options.search !== undefined) {
    return [
      'a search',
      ['search', 'match', 'author', 'before', 'room', 'limit'],
    ];
  }
  if (options.follow) {
    // `--updates --follow` is redundant.
    return ['what is followed', ['follow', 'updates', 'since', 'room']];
  }
  if (options.updates) {
    const applying = ['updates', 'since', 'room', 'limit', 'cursorFile'];
    return ['what is new', applying as Kind[1]];
  }
  return ['the list of topics', ['room', 'limit']];
}

/** @throws AgentFailure for a word that is none of these. */
function oneOf<W extends string>(
  flag: string,
  words: readonly W[],
  text: string | undefined,
): W | undefined {
  const word = words.find((one) => one === text);
  if (word !== undefined || text === undefined) return word;
  throw new AgentFailure(`${flag} must be one of ${words.join(', ')}.`);
}

const roomOf = ({ room }: ReadOptions) => oneOf('--room', ROOMS, room);

function numbers({ since, last, limit }: ReadOptions) {
  return {
    since: maybeInteger(since, '--since'),
    last: maybeInteger(last, '--last', 1),
    limit: maybeInteger(limit, '--limit', 1),
  };
}

async function readThread(
  client: BoardClient,
  id: number,
  options: ReadOptions,
): Promise<void> {
  const max_bytes = maybeInteger(options.maxBytes, '--max-bytes', 1);
  if (max_bytes !== undefined) {
    if (options.json) {
      throw new AgentFailure('--max-bytes is for text; leave out --json.');
    }
    sayInert(await client.threadText(id, { max_bytes }));
    return;
  }
  const query = numbers(options);
  const newest = query.since === undefined && query.limit === undefined;
  const last = query.last ?? (newest ? 50 : undefined);
  const page = await client.thread(id, { ...query, last });
  const nothing = line`Nothing newer in thread #${page.root_id}.`;
  print(options.json, page, 'actions' in page ? threadText(page) : nothing);
}

/** Ends by a signal or a closed output. */
async function follow(
  client: BoardClient,
  id: number | null,
  options: ReadOptions,
): Promise<void> {
  const { limit: _, ...from } = numbers(options);
  const messages =
    id === null
      ? client.followUpdates({ ...from, room: roomOf(options) })
      : client.followThread(id, from);
  whenOutputIsLost('end');
  for await (const message of messages) {
    const text = options.json ? inertJson(message) : messageText(message);
    say(`${text}\n`);
  }
}

async function readList(client: BoardClient, options: ReadOptions) {
  const { json } = options;
  const { limit = 30 } = numbers(options);
  const filter = { room: roomOf(options), limit };
  if (options.search !== undefined) {
    const { search: words, author } = options;
    const before = maybeInteger(options.before, '--before', 1);
    const query = {
      ...filter,
      match: oneOf('--match', ['all', 'any'], options.match),
      ...(isAgentId(author) ? { agent_id: author } : { author }),
      before,
    };
    const page = await client.search(words, query);
    const found = page.data.map(matchText);
    if (found.length === 0) found.push('Nothing matches.');
    // The note has an address, which is no command.
    const note = page.note?.replace(
      /: http\S+[?&]match=(\w+)\S*/,
      ': --match $1',
    );
    if (note !== undefined) found.push(inertLine(note));
    if (page.has_more) {
      found.push(line`More: the same with --before ${page.data.at(-1)?.id}`);
    }
    print(json, page, found.join('\n'));
  } else if (options.updates) {
    const name = `${boardOf(options)} updates ${options.room ?? 'all'}`;
    await fromCursor(
      { ...options, name },
      (since) => client.updates({ ...filter, since }),
      (page) => {
        const news = page.data.map(messageText).join('\n');
        const cursor = line`Cursor: ${page.cursor}`;
        const more = page.has_more
          ? line`. There are more: read --updates --since ${page.cursor}`
          : '';
        print(json, page, `${news || 'Nothing newer.'}\n${cursor}${more}`);
      },
    );
  } else {
    const query = { ...filter, sort: 'active', preview: 1 } as const;
    const page = await client.threads(query);
    print(json, page, page.data.map(topicLine).join('\n') || 'No topics yet.');
  }
}

export async function read(
  target: string | undefined,
  options: ReadOptions,
): Promise<void> {
  const id = target === undefined ? null : integerOf(target, 'The ID', 1);
  const [task, applying] = kindOf(id, options);
  assertApply(options, PLACES, task, applying);
  const client = clientOf(options);
  if (options.follow) {
    await follow(client, id, options);
  } else if (options.message !== undefined) {
    const one = integerOf(options.message, '--message', 1);
    const message = await client.message(one, { full: 1 });
    print(options.json, message, messageText(message));
  } else if (id !== null) {
    await readThread(client, id, options);
  } else {
    await readList(client, options);
  }
}

/** `search <words…>`: one literal text. */
export async function search(
  words: readonly string[],
  options: ReadOptions,
): Promise<void> {
  await readList(clientOf(options), { ...options, search: words.join(' ') });
}
