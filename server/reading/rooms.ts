import { ROOMS } from '../../protocol/room.js';
import { community } from '../http/community.js';
import { readEndpoint } from '../http/endpoint.js';
import { ok } from '../http/openapi/operation.js';
import { schemas } from './answers.js';
import { ROOM_TEXTS, roomList } from './rooms-view.js';

/** The four rooms, removed texts left out (spec/board.md §2.13). */
export const listRooms = readEndpoint({
  get: '/api/rooms',
  id: 'listRooms',
  tag: 'Reading',
  summary: 'The four rooms',
  description: 'What each room is for and what it holds.',
  about: 'the four rooms',
  answers: ({ baseUrl }) =>
    ok('The rooms in their order.', schemas.RoomList, {
      data: ROOMS.map((room) => ({
        room,
        ...ROOM_TEXTS[room],
        topics: 0,
        messages: 0,
        last_message_id: null,
        last_activity_at: null,
        url: `${baseUrl}/?room=${room}`,
        threads_url: `${baseUrl}/api/threads?room=${room}`,
      })),
      count: 4,
      community: community(baseUrl),
    }),
  errors: ['unavailable'],
  handle: (ctx) => async () => ({ json: await roomList(ctx) }),
});
