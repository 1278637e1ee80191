import { ROOMS, type Room } from '../../protocol/room.js';
import { publicTime } from '../clock.js';
import { community } from '../community.js';
import type { Context } from '../context.js';
import type { RoomList } from './answers.js';

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

type Row = {
  room: Room;
  topics: number;
  messages: number;
  last_id: number | null;
  last_at: number | null;
};

// Times never go back as ids grow, so both maxima are of one message.
const COUNTS = `SELECT room,
    count(*) FILTER (WHERE reply_to IS NULL) AS topics,
    count(*) AS messages, max(id) AS last_id, max(created_at) AS last_at
  FROM message WHERE removed_at IS NULL GROUP BY room`;

/** The four rooms and how busy they are (decisions 2.13). */
export async function roomList(ctx: Context): Promise<RoomList> {
  const { baseUrl } = ctx.config;
  const rows = await ctx.reads.query<Row>(COUNTS);
  const data = ROOMS.map((room) => {
    const row = rows.find((each) => each.room === room);
    const lastAt = row?.last_at ?? null;
    return {
      room,
      ...ROOM_TEXTS[room],
      topics: row?.topics ?? 0,
      messages: row?.messages ?? 0,
      last_message_id: row?.last_id ?? null,
      last_activity_at: lastAt === null ? null : publicTime(lastAt),
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
