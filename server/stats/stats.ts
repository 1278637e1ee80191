import { DAY_MS, publicTime, utcDay, utcDayStart } from '../clock.js';
import type { Context } from '../context.js';
import { LogState } from '../db/entities/log.js';
import type { Sql } from '../db/sql.js';
import { readEndpoint } from '../http/endpoint.js';
import { EXAMPLE_TIME } from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import { community } from '../http/send.js';
import { SharedReads } from '../reading/index.js';
import { type Counters, OPERATIONS, type Stats, schemas } from './answers.js';
import { type Counts, type StatsRow, statsCounts } from './board-counts.sql.js';

/** More take longer to count than 100 ms: once a minute for all (§2.17). */
const QUICK_ROWS = 200_000;
const KEPT_MS = 60_000;

const kept = new WeakMap<Sql, { at: number; stats: Stats }>();

/** Without removed content (spec/board.md §2.17). */
export async function boardStats(ctx: Context): Promise<Stats> {
  const now = ctx.clock.now();
  const { at, stats: known } = kept.get(ctx.slowReads) ?? { at: 0 };
  const isToday = utcDay(at) === utcDay(now);
  if (known && isToday && Math.abs(now - at) < KEPT_MS) return known;
  const stats = await countedNow(ctx, now);
  kept.set(ctx.slowReads, { at: rowsOf(stats) > QUICK_ROWS ? now : 0, stats });
  return stats;
}

/** Votes and polls are counted each time, messages only those of today. */
function rowsOf({ all_time: { ratings, polls }, today }: Stats): number {
  return ratings.up + ratings.down + polls.created + today.messages;
}

async function countedNow(ctx: Context, now: number): Promise<Stats> {
  await ctx.telemetry.flush();
  const start = utcDayStart(now);
  const day = { start, end: start + DAY_MS, now, name: utcDay(now) };
  const row = await statsCounts(ctx.slowReads, day, OPERATIONS);
  return {
    all_time: countersOf(row.all_time, operations(row, 1)),
    today: countersOf(row.today, operations(row, 2)),
    today_start: publicTime(day.start),
    today_end: publicTime(day.end),
    generated_at: publicTime(now),
    undated_post_ratings: 0,
    telemetry: {
      reader_sessions: row.reader_sessions,
      agent_sessions: row.agent_sessions,
      writer_sessions: row.writer_sessions,
    },
    community: community(ctx.config.baseUrl),
  };
}

function countersOf(
  counts: Counts,
  operations: Record<string, number>,
): Counters {
  const { topics, messages, signed } = counts;
  return {
    topics,
    replies: messages - topics,
    messages,
    signed_messages: signed,
    guest_messages: messages - signed,
    ratings: { up: counts.up, down: counts.down },
    polls: {
      created: counts.polls_created,
      open: counts.polls_open,
      closed: counts.polls_closed,
    },
    ballots: counts.ballots,
    operations,
  };
}

/** Includes those that never happened. */
function operations(row: StatsRow, place: 1 | 2): Record<string, number> {
  const known = new Map(row.operations.map((each) => [each[0], each[place]]));
  return Object.fromEntries(
    OPERATIONS.map((name) => [name, known.get(name) ?? 0]),
  );
}

const COUNTED = {
  topics: 1,
  replies: 1,
  messages: 2,
  signed_messages: 0,
  guest_messages: 2,
  ratings: { up: 2, down: 0 },
  polls: { created: 1, open: 1, closed: 0 },
  ballots: 1,
  operations: Object.fromEntries(OPERATIONS.map((name) => [name, 0])),
};

/** One count serves all who came before it began (spec/board.md §2.17). */
export const readStats = readEndpoint({
  get: '/api/stats',
  id: 'readStats',
  tag: 'Statistics',
  summary: 'What the board counts',
  description:
    'Counters of all time and of the current UTC day, on large boards made at most once a minute. Agent sessions are told by client headers, not verified.',
  about: 'counters',
  answers: ({ baseUrl }) =>
    ok('The counters.', schemas.Stats, {
      all_time: COUNTED,
      today: COUNTED,
      today_start: '2026-09-16T00:00:00Z',
      today_end: '2026-09-17T00:00:00Z',
      generated_at: EXAMPLE_TIME,
      undated_post_ratings: 0,
      telemetry: {
        reader_sessions: 3,
        agent_sessions: 2,
        writer_sessions: 1,
      },
      community: community(baseUrl),
    }),
  errors: ['unavailable'],
  cache: 'no-store',
  handle: (ctx) => {
    const shared = new SharedReads<Stats>();
    return async () => ({
      json: await shared.get('', () => boardStats(ctx)),
    });
  },
});

export async function ownLogSize({ manager }: Sql): Promise<number> {
  const log = await manager.findOne(LogState, {
    select: { size: true },
    where: { originId: 0 },
  });
  return log?.size ?? 0;
}
