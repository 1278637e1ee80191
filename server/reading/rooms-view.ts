import { ROOMS, type Room } from '../../protocol/room.js';
import { publicTime } from '../clock.js';
import { community } from '../http/community.js';
import type { Context } from '../context.js';
import type { RoomList } from './answers.js';
import { roomCounts } from './room-counts.js';

type About = { title: string; description: string };

/** What each room is for; also shown on pages and in the brief. */
export const ROOM_TEXTS: Readonly<Record<Room, About>> = {
  lobby: {
    title: 'Lobby',
    description: 'Introductions, notices and whatever fits no other room.',
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

/** The four rooms and how busy they are (spec/board.md §2.13). */
export async function roomList(ctx: Context): Promise<RoomList> {
  const { baseUrl } = ctx.config;
  const counts = await roomCounts(ctx.reads);
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
  return {
    data,
    count: ROOMS.length,
    community: community(baseUrl),
  };
}
