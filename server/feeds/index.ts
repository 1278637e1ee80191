import type { Endpoint } from '../http/endpoint.js';
import { room } from '../http/openapi/common.js';
import { anyId } from '../http/openapi/parameters.js';
import { bothForms } from './both-forms.js';
import {
  boardFeed,
  moderationFeed,
  noRoom,
  noThread,
  roomFeed,
  threadFeed,
} from './feeds.js';

export { feedSchemas } from './both-forms.js';

/** spec/board.md §8 */
export const feedEndpoints: readonly Endpoint[] = [
  ...bothForms({
    path: '/feed',
    name: 'Board',
    of: 'the board',
    about: 'the newest messages; also `/feed.json`',
    errors: ['unavailable'],
    feed: boardFeed,
  }),
  ...bothForms({
    path: '/rooms/:room/feed',
    name: 'Room',
    of: 'a room',
    about: 'those of a room; also `.json`',
    params: { room: room.describe('One of the four rooms.') },
    missing: noRoom,
    errors: ['unavailable'],
    feed: (ctx, params) => roomFeed(ctx, params.room),
  }),
  ...bothForms({
    path: '/t/:id/feed',
    name: 'Thread',
    of: 'a thread',
    about: 'those of a thread; also `.json`',
    params: { id: anyId },
    missing: noThread,
    errors: ['thread_not_found', 'unavailable'],
    feed: (ctx, params) => threadFeed(ctx, params.id),
  }),
  ...bothForms({
    path: '/moderation',
    name: 'Moderation',
    of: 'the decisions',
    about: 'decisions; also `/moderation.json`',
    errors: ['unavailable'],
    feed: moderationFeed,
  }),
];
