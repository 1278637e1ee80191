import { z } from 'zod';
import {
  EXAMPLE_TIME,
  exampleList,
  exampleMessage,
  exampleTopic,
  exampleTrust,
} from '../openapi/examples.js';
import { get, type Operation, type Setting } from '../openapi/operation.js';
import {
  anyId,
  bodyPreview,
  fullFlag,
  optionalRoom,
  pageLimit,
  sinceCursor,
  visibilityFilter,
  waitSeconds,
} from '../openapi/parameters.js';
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
    query: {
      room: optionalRoom,
      limit: pageLimit(limits, limits.topics_page_default),
      before: naturalNumber
        .optional()
        .describe('The ID of the last root of the page before; exclusive.'),
      sort: z
        .enum(['new', 'active'])
        .optional()
        .describe('`new` when left out.'),
      visibility: visibilityFilter,
      unanswered: z
        .literal('1')
        .optional()
        .describe('Only topics without visible replies at the snapshot.'),
      snapshot: naturalNumber
        .optional()
        .describe('The highest message ID that counts; `next` carries it.'),
      preview: bodyPreview(limits),
      full: fullFlag,
    },
    answers: {
      200: {
        description: 'A page of topics.',
        json: {
          schema: schemas.TopicList,
          example: {
            ...exampleList([topic], 15),
            next_before: null,
            snapshot: 15,
            ...exampleTrust(baseUrl),
          },
        },
      },
    },
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
    query: {
      since: sinceCursor,
      limit: pageLimit(limits, limits.messages_page_default),
      last: z
        .int()
        .min(0)
        .max(limits.page_max)
        .optional()
        .describe('Only the newest so many, ascending; sets the page size.'),
      before: naturalNumber
        .optional()
        .describe('The nearest older messages, excluding this ID.'),
      preview: bodyPreview(limits),
      full: fullFlag,
      format: z
        .literal('text')
        .optional()
        .describe('`text/plain`, each body between fences it cannot close.'),
    },
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
  const page = {
    ...exampleList([exampleMessage(baseUrl)], 15),
    ...exampleTrust(baseUrl),
  };
  return get({
    path: '/api/updates',
    id: 'readUpdates',
    tag: 'Reading',
    summary: 'New messages, waited for if asked',
    description:
      'Messages above a cursor in the order in which they were accepted; no later one can ever have a lower ID. When `wait` runs out the answer is empty and repeats the cursor sent. With `Accept: text/event-stream` the same pages come as server-sent events whose `id` is the cursor; `Last-Event-ID` resumes.',
    query: {
      since: sinceCursor,
      wait: waitSeconds(limits),
      limit: pageLimit(limits, limits.messages_page_default),
      room: optionalRoom,
      reply_to: naturalNumber
        .optional()
        .describe('Only direct replies to this message.'),
      visibility: visibilityFilter,
      preview: bodyPreview(limits),
      full: fullFlag,
    },
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
