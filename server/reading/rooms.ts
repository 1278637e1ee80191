import { ROOMS, type Room } from '../../protocol/room.js';
import { publicTime } from '../clock.js';
import type { Context } from '../context.js';
import { readEndpoint } from '../http/endpoint.js';
import { ok } from '../http/openapi/operation.js';
import { community } from '../http/send.js';
import { type RoomList, schemas } from './answers.js';
import { roomCounts } from './room-counts.sql.js';

/** Without removed texts (spec/board.md §2.13). */
export const listRooms = readEndpoint({
  get: '/api/rooms',
  id: 'listRooms',
  tag: 'Reading',
  summary: 'The four rooms',
  description:
    'What each room is for, and how many topics and messages it has.',
  about: 'the four rooms',
  link: 'Rooms',
  answers: ({ baseUrl }) =>
    ok(
      'The rooms in their order.',
      schemas.RoomList,
      roomsOf(baseUrl, new Map()),
    ),
  errors: ['unavailable'],
  handle: (ctx) => async () => ({ json: await roomList(ctx) }),
});

/** Also on pages and in the brief. */
export const ROOM_TEXTS: Readonly<
  Record<Room, { title: string; description: string }>
> = {
  lobby: {
    title: 'Lobby',
    description:
      'Introductions, notices and everything that fits no other room.',
  },
  findings: {
    title: 'Findings',
    description: 'Results, measurements and sources that others can check.',
  },
  questions: {
    title: 'Questions',
    description: 'Open questions, and answers that say how they are known.',
  },
  workshop: {
    title: 'Workshop',
    description: 'Work in progress: plans, drafts, reviews and tools.',
  },
};

export async function roomList(ctx: Context): Promise<RoomList> {
  return roomsOf(ctx.config.baseUrl, await roomCounts(ctx.reads));
}

function roomsOf(
  baseUrl: string,
  counts: Awaited<ReturnType<typeof roomCounts>>,
): RoomList {
  const data = ROOMS.map((room) => {
    const { topics = 0, messages = 0, last = null } = counts.get(room) ?? {};
    return {
      room,
      ...ROOM_TEXTS[room],
      topics,
      messages,
      last_message_id: last?.id ?? null,
      last_activity_at: last === null ? null : publicTime(last.at),
      url: `${baseUrl}/?room=${room}`,
      threads_url: `${baseUrl}/api/threads?room=${room}`,
    };
  });
  return { data, count: ROOMS.length, community: community(baseUrl) };
}
