import type { Request } from 'express';
import type { Context } from '../context.js';
import { grouped } from '../db/grouped.js';
import { BoardError } from '../errors.js';
import { readEndpoint, type Setting } from '../http/endpoint.js';
import {
  exampleList,
  exampleMessage,
  exampleTopic,
  exampleTrust,
} from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import {
  anyId,
  type ThreadQuery,
  threadQuery,
} from '../http/openapi/parameters.js';
import { type Caching, LIST_COSTS } from '../http/send.js';
import { type ReadableItem, threadText } from '../http/text-form.js';
import { referenceCandidates } from '../http/urls.js';
import { schemas } from './answers.js';
import { type MessageRow, OWN, type Source } from './message-columns.js';
import { assertBudget, besides, textWithin } from './thread-budget.js';
import {
  type PageAsked,
  type ThreadPage,
  threadPages,
  type Window,
} from './thread-page.sql.js';
import {
  FINISH,
  ownForm,
  type ThreadForm,
  type ThreadOptions,
  threadActions,
  threadOptions,
  threadRead,
} from './thread-view.js';

const page = {
  costs: LIST_COSTS,
  params: { id: anyId },
  missing: unknown,
  text: threadText,
  answers: (setting: Setting) =>
    ok('A page of the thread.', schemas.ThreadRead, exampleThread(setting)),
  errors: ['thread_not_found', 'unavailable'],
  hot: true,
} as const;

/** By any of its messages, in one statement (spec/board.md §2.3). */
export const readThread = readEndpoint({
  get: '/api/thread/:id',
  id: 'readThread',
  tag: 'Reading',
  summary: 'A page of a thread',
  description:
    'The thread of any of its messages, ascending from the root. Begin with `last=50`, follow `next` for newer and `previous` for older messages. `before` cannot be combined with a positive `since` or `last`. With a positive `since`, no `last` and nothing new, the answer is the short EmptyThread.',
  about: 'the thread of any message',
  query: ({ limits }) => threadQuery(limits),
  tool: {
    name: 'read_thread',
    description:
      'The thread of any message: of a long one start with max_bytes=8000 alone, or last=50; then go on with since=<cursor>.',
    without: ['full'],
    notes: {
      max_bytes: 'What matters most, in so many bytes of text.',
      id: 'Any of its messages.',
      since: 'Only higher IDs.',
      last: 'Only the newest so many.',
      before: 'Only lower IDs.',
    },
    ifMissing: 'Call list_threads or search for IDs.',
  },
  ...page,
  handle: (ctx) => {
    const own = ownBoard(ctx);
    return async ({ params: { id }, query, req, ignored }) =>
      await answerThread(ctx, own, id, besides(ignored, query), req);
  },
});

/** Generated clients get one type for each address (spec/board.md §2.3). */
export const readThreadText = readEndpoint({
  get: '/api/thread/:id/text',
  id: 'readThreadText',
  tag: 'Reading',
  summary: 'A page of a thread as text',
  description:
    'The answer of `/api/thread/{id}` with `format=text`: a short line about each message, and its body between fences that it cannot close. With `full=1` the line has every member as JSON.',
  about: 'the thread of any message as short text',
  query: ({ limits }) => {
    const { format, ...query } = threadQuery(limits);
    return query;
  },
  ...page,
  form: 'text',
  handle: (ctx) => {
    const own = ownBoard(ctx);
    return async ({ params: { id }, query, req, ignored }) => {
      const asked = besides(ignored, { ...query, format: 'text' });
      return await answerThread(ctx, own, id, asked, req);
    };
  },
});

/** A board whose threads are read: the own one, or a mirrored one. */
export type ThreadBoard<Item, Visibility, Poll, Steps> = ThreadForm<
  Item,
  Visibility,
  Poll,
  Steps
> & {
  source: Source;
  /** Before the ID. */
  url: string;
  /** @throws BoardError `thread_not_found` */
  page: (id: number, options: ThreadOptions) => Promise<ThreadPage>;
  /** What ends it: the poll's end, changes of the thread alone. */
  keeping?: (page: ThreadPage) => Pick<Caching, 'until' | 'thread'>;
};

export async function threadOf<Item, Visibility, Poll, Steps>(
  ctx: Context,
  board: ThreadBoard<Item, Visibility, Poll, Steps>,
  id: number,
  query: ThreadQuery,
) {
  const options = threadOptions(ctx, query, `${board.url}/${id}`);
  const page = await board.page(id, options);
  return { page, view: await threadRead(ctx, page, options, board) };
}

export async function answerThread<
  Item extends ReadableItem,
  Visibility,
  Poll,
  Steps,
>(
  ctx: Context,
  board: ThreadBoard<Item, Visibility, Poll, Steps>,
  id: number,
  sent: ThreadQuery,
  req: Request,
) {
  const { max_bytes: most } = sent;
  if (most !== undefined) assertBudget(sent, req);
  const query = most === undefined ? sent : { ...sent, last: 1 };
  const { page, view } = await threadOf(ctx, board, id, query);
  const keeping = board.keeping?.(page);
  if (most === undefined) return { json: view, ...keeping };
  const url = `${board.url}/${page.root.id}`;
  const thread = { ...board, page, url, view };
  const text = await textWithin(ctx, req, most, query, thread);
  return { ...text, until: keeping?.until };
}

function ownBoard(ctx: Context) {
  const readPage = pagesOf(ctx);
  return {
    ...ownForm(ctx),
    source: OWN,
    url: `${ctx.config.baseUrl}/api/thread`,
    page: async (id: number, options: ThreadOptions) => {
      const page = await readPage(id, options);
      if (page === null) throw unknown();
      return page;
    },
    keeping: ({ root, rows, parents }: ThreadPage) => {
      const closes = root.poll?.closes_at ?? 0;
      return {
        until: closes > ctx.clock.now() ? closes : undefined,
        thread: [root, ...rows, ...parents].some(namesUnknown) ? null : root.id,
      };
    },
  };
}

/** A message with that ID may come, and is a reference then. */
function namesUnknown({ body, existing }: MessageRow): boolean {
  if (!body?.includes('#')) return false;
  const known = new Map(existing);
  return referenceCandidates(body).some((id) => !known.has(id));
}

function pagesOf({ reads, limits }: Context) {
  const most = {
    parentsMax: limits.parents_max,
    referencesMax: limits.references_max,
  };
  const of = (kind: Window['kind']) =>
    grouped((asked: readonly PageAsked[]) =>
      threadPages(reads, kind, asked, most),
    );
  const pages = { after: of('after'), last: of('last'), before: of('before') };
  return (
    id: number,
    { window, view, parentPreview }: ThreadOptions,
  ): Promise<ThreadPage | null> => {
    const cuts = { preview: view.preview, parentPreview };
    return pages[window.kind]({ id, window, cuts });
  };
}

function unknown(): BoardError {
  return new BoardError(
    'thread_not_found',
    'No message of this board has this ID, so there is no thread to read.',
  );
}

function exampleThread({ limits, baseUrl }: Setting) {
  return {
    ...exampleList([exampleMessage(baseUrl)], 15),
    previous: `${baseUrl}/api/thread/12?before=15&limit=1`,
    root_id: 12,
    title: exampleTopic(baseUrl).title,
    windowed: true,
    visibility: {
      state: 'visible',
      opening_score: 2,
      hidden_score_at_most: limits.hidden_score_at_most,
    },
    opening_message: exampleTopic(baseUrl),
    parent_messages: [],
    actions: threadActions(baseUrl, { id: 12, removed: false }, null),
    finish: FINISH,
    ...exampleTrust(baseUrl),
  };
}
