// By hand: four counts of one moment, one by a lateral join.
import { ROOMS, type Room } from '../../protocol/room.js';
import { only, type Sql } from '../db/sql.js';

type Counts = { topics: number; messages: number };
type Counted = Counts & { room: Room };

/** Without removed ones; time in ms. */
type RoomCounts = Counts & { last: { id: number; at: number } | null };

type Answer = {
  /** Above an ID, removed ones included. */
  added: Counted[] | null;
  gone: Counted[] | null;
  last: { room: Room; id: number; at: number }[] | null;
  newest: number | null;
};

const counted = (where: string) => `
  SELECT json_agg(c) FROM (SELECT room, count(*) AS messages,
      count(*) FILTER (WHERE reply_to IS NULL) AS topics
    FROM message WHERE ${where} GROUP BY room) c`;

const LAST_ID = '9223372036854775807';

/**
 * The last of a room is ordered by one index: otherwise the planner walks the
 * whole log for a room that is quiet.
 *
 * $1 ID up to which messages are counted already, $2 rooms, whose number would be
 * planned each time.
 */
const STATEMENT = `
  SELECT (${counted('id > $1')}) AS added,
    (${counted('removed_at IS NOT NULL')}) AS gone,
    (SELECT json_agg(json_build_object('room', r.room, 'id', m.id,
        'at', m.created_at))
      FROM unnest((SELECT $2::text[])) AS r (room) CROSS JOIN LATERAL (
        SELECT id, created_at FROM message
        WHERE (room, id) BETWEEN (r.room, 0) AND (r.room, ${LAST_ID})
          AND removed_at IS NULL
        ORDER BY room DESC, id DESC LIMIT 1) m) AS last,
    (SELECT max(id) FROM message) AS newest`;

/** Up to an ID, removed ones included: never becomes less. */
type Total = { newest: number; rooms: ReadonlyMap<Room, Counts> };

const NOTHING: Counts = { topics: 0, messages: 0 };
const totals = new WeakMap<Sql, Total>();

/** IDs follow commit order, so messages are counted only once. */
export async function roomCounts(
  sql: Sql,
): Promise<ReadonlyMap<Room, RoomCounts>> {
  const before = totals.get(sql);
  const values = [before?.newest ?? 0, ROOMS];
  const row = only(await sql.query<Answer>(STATEMENT, values));
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

function of(counts: readonly Counted[] | null, room: Room): Counts {
  return counts?.find((each) => each.room === room) ?? NOTHING;
}

function sum(one: Counts, other: Counts, sign: 1 | -1): Counts {
  return {
    topics: one.topics + sign * other.topics,
    messages: one.messages + sign * other.messages,
  };
}
