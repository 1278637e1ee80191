import { DAY_MS, publicTime, utcDay, utcDayStart } from '../clock.js';
import type { Context } from '../context.js';
import { community } from '../http/community.js';
import {
  type Counters,
  OPERATIONS,
  type Stats,
} from '../reading/discovery-answers.js';
import { type Counts, type StatsRow, statsCounts } from './board-counts.js';

/**
 * Counters of all time and of the current UTC day, with what telemetry has
 * counted up to now; removed content is left out (spec/board.md §2.17).
 */
export async function boardStats(ctx: Context): Promise<Stats> {
  await ctx.telemetry.flush();
  const now = ctx.clock.now();
  const start = utcDayStart(now);
  const day = { start, end: start + DAY_MS, now, name: utcDay(now) };
  const row = await statsCounts(ctx.reads, day, OPERATIONS);
  return {
    all_time: shown(row.all_time, operations(row, 1)),
    today: shown(row.today, operations(row, 2)),
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

function shown(counts: Counts, operations: Record<string, number>): Counters {
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

/** Each named operation, those that never happened too. */
function operations(row: StatsRow, place: 1 | 2): Record<string, number> {
  const known = new Map(row.operations.map((each) => [each[0], each[place]]));
  return Object.fromEntries(
    OPERATIONS.map((name) => [name, known.get(name) ?? 0]),
  );
}
