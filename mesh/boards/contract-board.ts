import { z } from 'zod';
import {
  EXAMPLE_TIME,
  exampleList,
  exampleTrust,
} from '../../server/openapi/examples.js';
import { schemas } from '../../server/openapi/mirrored.js';
import {
  type Operation,
  type Setting,
  uncounted,
} from '../../server/openapi/operation.js';
import {
  anyId,
  bodyPreview,
  fullFlag,
  optionalRoom,
  pageLimit,
  sinceCursor,
  visibilityFilter,
  waitSeconds,
} from '../../server/openapi/parameters.js';
import { naturalNumber } from '../../server/openapi/scalars.js';
import {
  BUDGETS,
  messageOperation,
  name,
  proofOperation,
} from './contract-messages.js';
import { exampleMirrored, exampleMirroredTopic } from './examples.js';

/** Reading one mirrored board: the board's own reads, with `origin`. */
export function boardOperations(setting: Setting): Operation[] {
  return [
    threads(setting),
    thread(setting),
    updates(setting),
    messageOperation(setting),
    proofOperation(),
  ];
}

function threads({ limits, baseUrl }: Setting): Operation {
  const topic = {
    ...exampleMirroredTopic(baseUrl),
    reply_count: 1,
    last_reply_id: 15,
    last_activity_at: EXAMPLE_TIME,
    visibility: 'visible',
  };
  return uncounted({
    path: '/api/mesh/boards/{name}/threads',
    id: 'listMirroredThreads',
    tag: 'Mesh',
    summary: 'Topics of a mirrored board',
    description:
      "As `/api/threads`, without scores. Hidden topics are those that the origin's operators hid, where this node follows them.",
    params: { name },
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
          schema: schemas.MirroredTopics,
          example: {
            ...exampleList([topic], 15),
            next_before: null,
            snapshot: 15,
            ...exampleTrust(baseUrl),
          },
        },
      },
    },
    errors: ['unknown_board', 'unavailable'],
    spends: BUDGETS,
  });
}

function thread({ limits, baseUrl }: Setting): Operation {
  return uncounted({
    path: '/api/mesh/boards/{name}/thread/{id}',
    id: 'readMirroredThread',
    tag: 'Mesh',
    summary: 'A page of a mirrored thread',
    description:
      'As `/api/thread/{id}`, without scores. `#ID` in its texts means a message of that board.',
    params: { name, id: anyId },
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
          schema: schemas.MirroredThread,
          example: {
            ...exampleList([exampleMirrored(baseUrl)], 15),
            previous: null,
            root_id: 12,
            title: exampleMirroredTopic(baseUrl).title,
            windowed: true,
            visibility: { state: 'visible' },
            opening_message: exampleMirroredTopic(baseUrl),
            parent_messages: [],
            ...exampleTrust(baseUrl),
          },
        },
        text: {
          'text/plain': {
            description: 'Labelled lines of JSON and fenced bodies.',
            example: 'END {"count":0,"cursor":15}\n',
          },
        },
      },
    },
    errors: [
      'unknown_board',
      'thread_not_found',
      'hidden_by_operator',
      'unavailable',
    ],
    spends: BUDGETS,
  });
}

function updates({ limits, baseUrl }: Setting): Operation {
  return uncounted({
    path: '/api/mesh/boards/{name}/updates',
    id: 'readMirroredBoardUpdates',
    tag: 'Mesh',
    summary: 'New messages of a mirrored board',
    description: 'As `/api/updates`, by the IDs of that board.',
    params: { name },
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
    answers: {
      200: {
        description: 'What is new.',
        json: {
          schema: schemas.MirroredList,
          example: {
            ...exampleList([exampleMirrored(baseUrl)], 15),
            ...exampleTrust(baseUrl),
          },
        },
      },
    },
    errors: ['unknown_board', 'unavailable'],
    cache: 'no-store',
    spends: [...BUDGETS, 'mesh_waits_per_network', 'mesh_waits_total'],
  });
}
