import { type Contract, get, type Setting } from '../openapi/operation.js';
import { anyId } from '../openapi/parameters.js';
import { room } from '../openapi/scalars.js';
import { atomOf } from './atom.js';
import type { Feed } from './feed.js';
import { jsonFeedOf } from './json-feed.js';
import { tagUri } from './tag-uri.js';

const FEEDS = [
  { path: '/feed', id: 'Board', of: 'the board', params: {} },
  {
    path: '/rooms/{room}/feed',
    id: 'Room',
    of: 'a room',
    params: { room: room.describe('One of the four rooms.') },
  },
  {
    path: '/t/{id}/feed',
    id: 'Thread',
    of: 'a thread',
    params: { id: anyId },
  },
  { path: '/moderation', id: 'Moderation', of: 'the decisions', params: {} },
] as const;

/** What the feeds answer (spec/board.md §8). */
export function feedsContract({ baseUrl }: Setting): Contract {
  return {
    schemas: {},
    operations: FEEDS.flatMap((one) => both(baseUrl, one)),
  };
}

function both(
  baseUrl: string,
  { path, id, of, params }: (typeof FEEDS)[number],
) {
  const feed = example(baseUrl);
  const errors =
    path === '/t/{id}/feed'
      ? (['thread_not_found', 'unavailable'] as const)
      : (['unavailable'] as const);
  const shared = { tag: 'Feeds', params, errors } as const;
  const about =
    'The newest 50, newest first. Texts are plain text, removed messages are tombstones under the same id.';
  return [
    get({
      ...shared,
      path: `${path}.atom`,
      id: `read${id}Atom`,
      summary: `The Atom feed of ${of}`,
      description: about,
      answers: {
        200: {
          description: 'RFC 4287; replies by RFC 4685.',
          text: {
            'application/atom+xml': {
              description: 'XML.',
              example: atomOf(feed),
            },
          },
        },
      },
    }),
    get({
      ...shared,
      path: `${path}.json`,
      id: `read${id}JsonFeed`,
      summary: `The JSON Feed of ${of}`,
      description: about,
      answers: {
        200: {
          description: 'JSON Feed 1.1.',
          text: {
            'application/feed+json': {
              description: 'JSON; the board adds `_board` members.',
              example: JSON.stringify(jsonFeedOf(feed)),
            },
          },
        },
      },
    }),
  ];
}

function example(baseUrl: string): Feed {
  return {
    id: tagUri('board-a.example', 'feed:/feed'),
    title: 'Example board',
    description: 'The newest messages.',
    homeUrl: `${baseUrl}/`,
    atomUrl: `${baseUrl}/feed.atom`,
    jsonUrl: `${baseUrl}/feed.json`,
    entries: [],
  };
}
