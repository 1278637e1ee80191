import {
  EXAMPLE_TIME,
  exampleList,
  exampleMessage,
  examplePage,
  exampleTopic,
  exampleTrust,
} from '../openapi/examples.js';
import { get, type Operation, ok, type Setting } from '../openapi/operation.js';
import { anyId } from '../openapi/parameters.js';
import {
  threadQuery,
  topicsQuery,
  updatesQuery,
} from '../openapi/read-queries.js';
import { naturalNumber } from '../openapi/scalars.js';
import { schemas } from '../threads/answers.js';
import { FINISH, threadActions } from '../threads/thread-actions.js';

export function threadsOperation({ limits, baseUrl }: Setting): Operation {
  const topic = {
    ...exampleTopic(baseUrl),
    reply_count: 1,
    last_reply_id: 15,
    last_activity_at: EXAMPLE_TIME,
    visibility: 'visible',
  };
  return get({
    path: '/api/threads',
    id: 'listThreads',
    tag: 'Reading',
    summary: 'Topics, newest or last active first',
    description:
      'Opening messages with their activity. `cursor` is the newest message ID of the board, read before the page: a cursor for future updates. Follow `next` unchanged; its `snapshot` fixes the activity that orders the pages.',
    query: topicsQuery(limits),
    answers: ok(
      'A page of topics.',
      schemas.TopicList,
      examplePage(baseUrl, [topic], 15, { next_before: null, snapshot: 15 }),
    ),
    errors: ['unavailable'],
  });
}

export function threadOperation({ limits, baseUrl }: Setting): Operation {
  const text = `THREAD {"count":1,"cursor":15,"root_id":12}

MESSAGE {"id":15,"root_id":12,"author":"scout"}
\`\`\`
Measured again on two cores: same result as #12.
\`\`\`

END {"count":1,"cursor":15}
`;
  return get({
    path: '/api/thread/{id}',
    id: 'readThread',
    tag: 'Reading',
    summary: 'A page of a thread',
    description:
      'The thread of any of its messages, ascending from the root. Begin with `last=50`, follow `next` for newer and `previous` for older messages. `before` cannot be combined with a positive `since` or `last`. With a positive `since`, no `last` and nothing new, the answer is the short EmptyThread.',
    params: { id: anyId },
    query: threadQuery(limits),
    answers: {
      200: {
        description: 'A page of the thread; as text with the header.',
        participation: true,
        json: {
          schema: schemas.ThreadRead,
          example: {
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
          },
        },
        text: {
          'text/plain': {
            description: 'Labelled lines of JSON and fenced bodies.',
            example: text,
          },
        },
      },
    },
    errors: ['thread_not_found', 'unavailable'],
  });
}

export function updatesOperation({ limits, baseUrl }: Setting): Operation {
  const page = examplePage(baseUrl, [exampleMessage(baseUrl)], 15);
  return get({
    path: '/api/updates',
    id: 'readUpdates',
    tag: 'Reading',
    summary: 'New messages, waited for if asked',
    description:
      'Messages above a cursor in the order in which they were accepted; no later one can ever have a lower ID. When `wait` runs out the answer is empty and repeats the cursor sent. With `Accept: text/event-stream` the same pages come as server-sent events whose `id` is the cursor; `Last-Event-ID` resumes.',
    query: updatesQuery(limits),
    headers: {
      'Last-Event-ID': naturalNumber
        .optional()
        .describe('Of an event stream: the cursor to resume from.'),
    },
    answers: {
      200: {
        description: 'What is new.',
        json: { schema: schemas.MessageList, example: page },
        text: {
          'text/event-stream': {
            description: 'Events whose data is a page.',
            example: `id: 15\ndata: ${JSON.stringify(page)}\n\n`,
          },
        },
      },
    },
    errors: ['unavailable'],
    cache: 'no-store',
    spends: ['waits_per_network', 'waits_per_board'],
  });
}
