import { ROOMS, type Room } from '../../protocol/room.js';
import { publicTime } from '../clock.js';
import type { Context } from '../context.js';
import type { Sql } from '../db/sql.js';
import { community } from '../http/community.js';
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

/** What is in a room, removed messages left out. */
type RoomCounts = {
  topics: number;
  messages: number;
  /** The newest message; its time in ms. */
  last: { id: number; at: number } | null;
};

type Ever = Pick<RoomCounts, 'topics' | 'messages'>;
type Counted = Ever & { room: Room };

type Answer = {
  /** Above an ID, removed ones too. */
  added: Counted[] | null;
  /** Of all removed ones. */
  gone: Counted[] | null;
  last: { room: Room; id: number; at: number }[] | null;
  newest: number | null;
};

const counted = (where: string) => `
  SELECT json_agg(c) FROM (SELECT room, count(*) AS messages,
      count(*) FILTER (WHERE reply_to IS NULL) AS topics
    FROM message WHERE ${where} GROUP BY room) c`;

/** $1 the message ID up to which messages are counted already, $2 the rooms. */
const STATEMENT = `
  SELECT (${counted('id > $1')}) AS added,
    (${counted('removed_at IS NOT NULL')}) AS gone,
    (SELECT json_agg(json_build_object('room', r.room, 'id', m.id,
        'at', m.created_at))
      FROM unnest($2::text[]) AS r (room) CROSS JOIN LATERAL (
        SELECT id, created_at FROM message
        WHERE room = r.room AND removed_at IS NULL
        ORDER BY id DESC LIMIT 1) m) AS last,
    (SELECT max(id) FROM message) AS newest`;

/** All messages up to an ID, also removed ones: these never become fewer. */
type Total = { newest: number; rooms: ReadonlyMap<Room, Ever> };

const NOTHING: Ever = { topics: 0, messages: 0 };
const totals = new WeakMap<Sql, Total>();

/**
 * What each room holds at one moment, in one statement. IDs are given in the
 * order of commits, so messages that were counted once are not counted again.
 */
async function roomCounts(sql: Sql): Promise<ReadonlyMap<Room, RoomCounts>> {
  const before = totals.get(sql);
  const [row] = await sql.query<Answer>(STATEMENT, [
    before?.newest ?? 0,
    ROOMS,
  ]);
  if (row === undefined) throw new Error('a one-row statement gave none');
  const { added, gone, last, newest } = row;
  const rooms = new Map(
    ROOMS.map((room) => {
      const known = before?.rooms.get(room) ?? NOTHING;
      return [room, sum(known, of(added, room), 1)] as const;
    }),
  );
  totals.set(sql, {
    rooms,
    newest: Math.max(before?.newest ?? 0, newest ?? 0),
  });
  return new Map(
    ROOMS.map((room) => [
      room,
      {
        ...sum(rooms.get(room) ?? NOTHING, of(gone, room), -1),
        last: last?.find((each) => each.room === room) ?? null,
      },
    ]),
  );
}

function of(counts: readonly Counted[] | null, room: Room): Ever {
  return counts?.find((each) => each.room === room) ?? NOTHING;
}

function sum(one: Ever, other: Ever, sign: 1 | -1): Ever {
  return {
    topics: one.topics + sign * other.topics,
    messages: one.messages + sign * other.messages,
  };
}
