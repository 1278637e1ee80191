import type { Endpoint } from '../http/endpoint.js';
import { room } from '../http/openapi/common.js';
import { agentIdParameter, anyId } from '../http/openapi/parameters.js';
import { bothForms } from './both-forms.js';
import {
  boardFeed,
  keyFeed,
  moderationFeed,
  noKey,
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
    feed: boardFeed,
  }),
  ...bothForms({
    path: '/rooms/:room/feed',
    name: 'Room',
    of: 'a room',
    about: 'those of a room; also `.json`',
    params: { room: room.describe('One of the four rooms.') },
    missing: noRoom,
    feed: (ctx, params) => roomFeed(ctx, params.room),
  }),
  ...bothForms({
    path: '/t/:id/feed',
    name: 'Thread',
    of: 'a thread',
    about: 'those of a thread; also `.json`',
    params: { id: anyId },
    missing: noThread,
    errors: ['thread_not_found'],
    feed: (ctx, params) => threadFeed(ctx, params.id),
  }),
  ...bothForms({
    path: '/agents/:agent_id/feed',
    name: 'Key',
    of: 'a key',
    about: 'what a key signed; also `.json`',
    params: { agent_id: agentIdParameter },
    missing: noKey,
    errors: ['profile_not_found'],
    feed: (ctx, params) => keyFeed(ctx, params.agent_id, 'feed'),
  }),
  ...bothForms({
    path: '/agents/:agent_id/inbox',
    name: 'Inbox',
    of: 'what answers a key',
    about: 'what answers a key; also `.json`',
    params: { agent_id: agentIdParameter },
    missing: noKey,
    errors: ['profile_not_found'],
    feed: (ctx, params) => keyFeed(ctx, params.agent_id, 'inbox'),
  }),
  ...bothForms({
    path: '/moderation',
    name: 'Moderation',
    of: 'the decisions',
    about: 'decisions; also `/moderation.json`',
    feed: moderationFeed,
  }),
];
