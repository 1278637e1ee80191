import { randomBytes } from 'node:crypto';
import { IsNull, MoreThan } from 'typeorm';
import { rateLimited } from '../db/budgets.js';
import { Poll } from '../db/entities/poll.js';
import type { Sql } from '../db/sql.js';
import type { BoardError } from '../errors.js';
import type { AppendContext } from '../ledger/append.js';
import type { Limits } from '../limits.js';
import type { PollDraft } from './poll-draft.js';
import { recordPollEvent } from './poll-events.sql.js';

const HOUR_MS = 3_600_000;

/**
 * In the topic's own job, so that both become public or neither (spec/board.md
 * §6.3). Returns its ID. The deadline is a whole second, as `closes_at` shows
 * it.
 */
export async function openPoll(
  context: AppendContext,
  rootId: number,
  poll: PollDraft,
): Promise<number> {
  const second = Math.floor(context.now / 1000) * 1000;
  const closesAt = second + poll.durationHours * HOUR_MS;
  const { tx, at, now } = context;
  // The head lock, held by all that give poll ids, makes this safe.
  const id = ((await tx.manager.maximum(Poll, 'id')) ?? 0) + 1;
  const { type, question, options, proposal, durationHours } = poll;
  await tx.manager.insert(Poll, {
    id,
    rootId,
    type,
    question,
    options: [...options],
    kind: proposal?.kind ?? null,
    summary: proposal?.summary ?? null,
    durationHours,
    secret: randomBytes(32),
    createdAt: at,
    closesAt,
    counts: options.map(() => 0),
  });
  await recordPollEvent(tx, id, 'opened', { closes_at: closesAt }, now);
  return id;
}

const HOUR_S = 3600;

export type OpenPolls = {
  count: number;
  /** Until one more may be opened; null while there is room. */
  waitSeconds: number | null;
  /** Until the first one closes; 0 without any. */
  resetSeconds: number;
};

/** Exact under the head lock. */
export async function openPolls(
  sql: Sql,
  limits: Limits,
  now: number,
): Promise<OpenPolls> {
  const most = limits.open_polls_max;
  const open = await sql.manager.find(Poll, {
    select: { id: true, closesAt: true },
    where: { closedAt: IsNull(), closesAt: MoreThan(now) },
    order: { closesAt: 'ASC' },
  });
  const secondsTo = (at: number) => Math.max(1, Math.ceil((at - now) / 1000));
  const [first] = open;
  const resetSeconds = first === undefined ? 0 : secondsTo(first.closesAt);
  const { length: count } = open;
  if (count < most) return { count, waitSeconds: null, resetSeconds };
  // When this one ends, one more may be opened.
  const freeAt = open[count - most]?.closesAt;
  const waitSeconds = freeAt === undefined ? HOUR_S : secondsTo(freeAt);
  return { count, waitSeconds, resetSeconds };
}

/** Null while another poll may be opened (spec/board.md §6.6). */
export async function openPollsRefusal(
  sql: Sql,
  limits: Limits,
  now: number,
): Promise<BoardError | null> {
  const { waitSeconds } = await openPolls(sql, limits, now);
  if (waitSeconds === null) return null;
  return rateLimited({
    limit: 'open_polls_max',
    retryAfterSeconds: waitSeconds,
  });
}
