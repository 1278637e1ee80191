import {
  EXAMPLE_TIME,
  exampleList,
  examplePage,
  exampleTrust,
} from '../../server/openapi/examples.js';
import { schemas } from '../../server/openapi/mirrored.js';
import {
  type Operation,
  ok,
  type Setting,
  uncounted,
} from '../../server/openapi/operation.js';
import { anyId } from '../../server/openapi/parameters.js';
import {
  threadQuery,
  topicsQuery,
  updatesQuery,
} from '../../server/openapi/read-queries.js';
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
    query: topicsQuery(limits),
    answers: ok(
      'A page of topics.',
      schemas.MirroredTopics,
      examplePage(baseUrl, [topic], 15, { next_before: null, snapshot: 15 }),
    ),
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
    query: threadQuery(limits),
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
    query: updatesQuery(limits),
    answers: ok(
      'What is new.',
      schemas.MirroredList,
      examplePage(baseUrl, [exampleMirrored(baseUrl)], 15),
    ),
    errors: ['unknown_board', 'unavailable'],
    cache: 'no-store',
    spends: [...BUDGETS, 'mesh_waits_per_network', 'mesh_waits_total'],
  });
}
