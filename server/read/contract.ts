import { z } from 'zod';
import { ROOMS } from '../../protocol/room.js';
import { community } from '../community.js';
import {
  EXAMPLE_UUID,
  exampleMessage,
  examplePage,
  exampleTrust,
} from '../openapi/examples.js';
import {
  type Contract,
  get,
  type Operation,
  ok,
  type Setting,
} from '../openapi/operation.js';
import {
  anyId,
  olderThan,
  optionalRoom,
  pageLimit,
  requestUuid,
  visibilityFilter,
  waitSeconds,
} from '../openapi/parameters.js';
import { bodyQuery } from '../openapi/read-queries.js';
import { exampleReceipt } from '../openapi/receipt.js';
import { relayState } from '../openapi/relay.js';
import { schemas } from '../threads/answers.js';
import { ROOM_TEXTS } from '../threads/rooms.js';
import {
  threadOperation,
  threadsOperation,
  updatesOperation,
} from './contract-threads.js';

const requestRead = z.union([schemas.AcceptedRequest, relayState]);

/** What the reads answer (spec/board.md §2). */
export function readContract(setting: Setting): Contract {
  return {
    schemas: { ...schemas, RequestRead: requestRead },
    operations: [
      threadsOperation(setting),
      threadOperation(setting),
      updatesOperation(setting),
      search(setting),
      message(setting),
      request(setting),
      rooms(setting),
      wholeBoard(),
    ],
  };
}

function search({ limits, baseUrl }: Setting): Operation {
  const found = { ...exampleMessage(baseUrl), excerpt_offset: 0 };
  return get({
    path: '/api/search',
    id: 'search',
    tag: 'Reading',
    summary: 'Literal search, newest first',
    description:
      'Messages whose body or title holds the text, without regard to case, code point by code point. Removed messages are never found.',
    query: {
      q: z
        .string()
        .min(limits.search_min)
        .max(limits.search_max)
        .describe('The text to look for; its length is in code points.')
        .meta({ examples: ['cold start'] }),
      room: optionalRoom,
      before: olderThan('messages'),
      limit: pageLimit(limits, limits.messages_page_default),
      visibility: visibilityFilter,
      ...bodyQuery(limits, 160),
    },
    answers: ok(
      'A page of matches.',
      schemas.SearchResults,
      examplePage(baseUrl, [found], 15),
    ),
    errors: ['unavailable'],
    spends: ['searches_per_network_minute'],
  });
}

function message({ limits, baseUrl }: Setting): Operation {
  return get({
    path: '/api/messages/{id}',
    id: 'readMessage',
    tag: 'Reading',
    summary: 'One message',
    description:
      'One complete message. A removed one answers 404 with `moderation_url`.',
    params: { id: anyId },
    query: bodyQuery(limits),
    answers: ok('The message.', schemas.SingleMessage, {
      ...exampleMessage(baseUrl),
      ...exampleTrust(baseUrl),
    }),
    errors: ['message_not_found', 'unavailable'],
    cache: 'no-store',
  });
}

function request({ baseUrl, limits }: Setting): Operation {
  return get({
    path: '/api/requests/{uuid}',
    id: 'readRequest',
    tag: 'Posting',
    summary: 'The receipt of an accepted request',
    description:
      'The accepted message, whole, and the receipt of its first publication; of a post for another board, its state there, waited for with `wait` while it is pending. A 404 does not prove that a request in flight cannot complete, but sending the same content with the same UUID again is safe.',
    params: { uuid: requestUuid },
    query: { wait: waitSeconds(limits) },
    answers: ok(
      'The message, or its tombstone, and the receipt; or a state.',
      requestRead,
      {
        ...exampleMessage(baseUrl),
        request_id: EXAMPLE_UUID,
        signature_note: 'A signature proves possession of a key only.',
        ...exampleTrust(baseUrl),
        receipt: exampleReceipt(baseUrl),
      },
    ),
    errors: ['message_not_found', 'unavailable'],
    cache: 'no-store',
    spends: ['waits_per_network', 'waits_per_board'],
  });
}

function rooms({ baseUrl }: Setting): Operation {
  const data = ROOMS.map((room) => ({
    room,
    ...ROOM_TEXTS[room],
    topics: 0,
    messages: 0,
    last_message_id: null,
    last_activity_at: null,
    url: `${baseUrl}/?room=${room}`,
    threads_url: `${baseUrl}/api/threads?room=${room}`,
  }));
  return get({
    path: '/api/rooms',
    id: 'listRooms',
    tag: 'Reading',
    summary: 'The four rooms',
    description: 'What each room is for and what it holds.',
    answers: ok('The rooms in their order.', schemas.RoomList, {
      data,
      count: 4,
      community: community(baseUrl),
    }),
    errors: ['unavailable'],
  });
}

function wholeBoard(): Operation {
  return get({
    path: '/all.txt',
    id: 'exportAll',
    tag: 'Reading',
    summary: 'Every message, as text',
    description:
      'All messages in order, streamed; large. A `MESSAGE` line of JSON is followed by exactly `body_bytes` bytes and a line feed, a removed message is a `REMOVED` line, and an `END` line counts and hashes all bytes before it.',
    answers: {
      200: {
        description: 'The export.',
        participation: true,
        text: {
          'text/plain': {
            description: 'MESSAGE, REMOVED and END records.',
            example: 'END {"messages":0,"bytes":0,"sha256":"e3b0…b855"}\n',
          },
        },
      },
    },
    errors: ['unavailable'],
    spends: ['exports_per_network_hour'],
  });
}
