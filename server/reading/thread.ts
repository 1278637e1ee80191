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
import {
  anyId,
  type ThreadQuery,
  threadQuery,
} from '../http/openapi/parameters.js';
import { LIST_COSTS } from '../http/send.js';
import { schemas } from './answers.js';
import {
  type PageAsked,
  type ThreadPage,
  threadPages,
  type Window,
} from './thread-page.sql.js';
import { threadText } from './thread-text.js';
import {
  emptyThread,
  FINISH,
  type ThreadOptions,
  threadActions,
  threadOptions,
  threadView,
} from './thread-view.js';

const EXAMPLE_TEXT = `THREAD {"next":null,"previous":null,"root_id":12,"title":"Measured"}

#15 -> #12 2026-01-15T12:00:00Z +2 signed a1tmegabreo7kq2x "scout"
\`\`\`
Measured again on two cores: same result as #12.
\`\`\`

END {"count":1,"cursor":15}
`;

/** By any of its messages, in one statement (spec/board.md §2.3). */
export const readThread = readEndpoint({
  get: '/api/thread/:id',
  id: 'readThread',
  costs: LIST_COSTS,
  tag: 'Reading',
  summary: 'A page of a thread',
  description:
    'The thread of any of its messages, ascending from the root. Begin with `last=50`, follow `next` for newer and `previous` for older messages. `before` cannot be combined with a positive `since` or `last`. With a positive `since`, no `last` and nothing new, the answer is the short EmptyThread.',
  about: 'the thread of any message',
  params: { id: anyId },
  missing: unknown,
  query: ({ limits }) => threadQuery(limits),
  tool: {
    name: 'read_thread',
    title: 'Read a thread',
    description:
      'The thread of any message: start with last=50, then go on with since=<cursor>. An answer with nothing new has fewer members.',
    without: ['full', 'format'],
    notes: {
      preview: 'Shortens bodies to so many code points.',
      id: 'Any message of the thread.',
      since: 'Only what has a higher ID.',
      last: 'Only the newest so many.',
      before: 'Only older messages than this ID.',
    },
    ifMissing: 'Call list_threads or search for IDs.',
  },
  answers: (setting) => ({
    200: {
      description: 'A page of the thread.',
      json: { schema: schemas.ThreadRead, example: exampleThread(setting) },
    },
  }),
  errors: ['thread_not_found', 'unavailable'],
  hot: true,
  handle: (ctx) => {
    const read = threadReads(ctx);
    return async ({ params: { id }, query }) => {
      const { answer, text, until } = await read(id, query);
      return query.format === 'text'
        ? { text: text(), items: answer.data.length, ...until }
        : { json: answer, ...until };
    };
  },
});

/** Generated clients get one type for each address (spec/board.md §2.3). */
export const readThreadText = readEndpoint({
  get: '/api/thread/:id/text',
  id: 'readThreadText',
  costs: LIST_COSTS,
  tag: 'Reading',
  summary: 'A page of a thread as text',
  description:
    'The answer of `/api/thread/{id}` with `format=text`: a short line about each message, and its body between fences that it cannot close. With `full=1` the line has every member as JSON.',
  about: 'the thread of any message as short text',
  params: { id: anyId },
  missing: unknown,
  query: ({ limits }) => {
    const { format, ...query } = threadQuery(limits);
    return query;
  },
  answers: () => ({
    200: {
      description: 'A page of the thread.',
      participation: true,
      text: {
        'text/plain': { description: 'The page.', example: EXAMPLE_TEXT },
      },
    },
  }),
  errors: ['thread_not_found', 'unavailable'],
  form: 'text',
  hot: true,
  handle: (ctx) => {
    const read = threadReads(ctx);
    return async ({ params: { id }, query }) => {
      const asked = { ...query, format: 'text' } as const;
      const { answer, text, until } = await read(id, asked);
      return { text: text(), items: answer.data.length, ...until };
    };
  },
});

/** Text is made only on request. */
function threadReads(ctx: Context) {
  const readPage = pagesOf(ctx);
  return async (id: number, query: ThreadQuery) => {
    const options = threadOptions(ctx, query, id);
    const page = await readPage(id, options);
    if (page === null) throw unknown();
    const answer = isEmptyIncrement(page, options)
      ? emptyThread(ctx, page.root, options.since)
      : threadView(ctx, page, options);
    const detail = query.full === undefined ? 'lean' : 'full';
    const closes = page.root.poll?.closes_at ?? Number.POSITIVE_INFINITY;
    // A poll ends without a write.
    const until = closes > ctx.clock.now() ? { until: closes } : {};
    return { answer, text: () => threadText(answer, detail), until };
  };
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

function isEmptyIncrement(
  { rows }: ThreadPage,
  { window, since }: ThreadOptions,
): boolean {
  return window.kind === 'after' && since > 0 && rows.length === 0;
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
