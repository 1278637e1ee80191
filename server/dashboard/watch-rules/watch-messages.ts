import { Equal, In, MoreThan } from 'typeorm';
import type { Context } from '../../context.js';
import { Stream } from '../../db/entities/counter.js';
import { AdminEvent } from '../../db/entities/dashboard.js';
import { Message } from '../../db/entities/message.js';
import { WatchRule } from '../../db/entities/watch-rule.js';
import type { Sql } from '../../db/sql.js';
import { fileMatches, type Match } from '../../moderation/index.js';
import { sequenceEvents } from '../live/broadcaster.js';
import {
  type Matched,
  matchPage,
  WATCHED,
  type Watched,
} from './match-page.js';
import type { RuleSaid } from './watch-rule.js';

/** Messages per transaction. */
const PAGE = 200;
/** The rest is left to the next run. */
const RUN_MS = 20_000;

const MESSAGES = 'watched_messages';
const RATINGS = 'watched_ratings';

type WatchContext = Pick<Context, 'writes' | 'clock' | 'keys'>;

/**
 * Checks what was published and rated since the last run (spec/operators.md
 * §5.3). Cursors and reports commit together: nothing is missed or reported
 * twice. Own messages only.
 */
export async function watchMessages(
  ctx: WatchContext,
  signal: AbortSignal,
): Promise<{ messages: number; reports: number }> {
  const { writes, clock } = ctx;
  await sequenceEvents(writes, clock.now());
  const saved = await writes.manager.findBy(WatchRule, { paused: false });
  const rules = saved as (WatchRule & { rule: RuleSaid })[];
  const began = performance.now();
  const goesOn = () => !signal.aborted && performance.now() - began < RUN_MS;
  const total = { messages: 0, reports: 0 };
  for (const next of [nextMessages, nextRatings]) {
    while (goesOn()) {
      const page = await next(writes, rules);
      if (page === null) break;
      const { rules: used, messages } = page;
      const asked = used.map(({ rule }) => rule);
      const matched = await matchPage(writes, asked, messages);
      const found = matched.flatMap((it) => matchesOf(it, used));
      total.reports += await file(ctx, page, found);
      total.messages += messages.length;
    }
  }
  return total;
}

type Saved = WatchRule & { rule: RuleSaid };
type Page = {
  cursor: string;
  from: number;
  to: number;
  rules: readonly Saved[];
  messages: Watched[];
};

async function cursorOf({ manager }: Sql, name: string): Promise<number> {
  return (await manager.findOneByOrFail(Stream, { name })).lastId;
}

/** Without rules the cursor jumps to the newest. */
async function nextMessages(
  sql: Sql,
  rules: readonly Saved[],
): Promise<Page | null> {
  const from = await cursorOf(sql, MESSAGES);
  const page = { cursor: MESSAGES, from, rules };
  if (rules.length === 0) {
    const to = (await sql.manager.maximum(Message, 'id')) ?? 0;
    return to > from ? { ...page, to, messages: [] } : null;
  }
  const messages = await sql.manager.find(Message, {
    select: WATCHED,
    where: { id: MoreThan(from) },
    order: { id: 'ASC' },
    take: PAGE,
  });
  const last = messages.at(-1);
  return last === undefined ? null : { ...page, to: last.id, messages };
}

async function nextRatings(
  sql: Sql,
  all: readonly Saved[],
): Promise<Page | null> {
  const { manager } = sql;
  const from = await cursorOf(sql, RATINGS);
  const rules = all.filter(({ rule }) => rule.kind === 'score');
  const page = { cursor: RATINGS, from, rules };
  const newest = (await manager.maximum(AdminEvent, 'seq')) ?? from;
  if (rules.length === 0) {
    return newest > from ? { ...page, to: newest, messages: [] } : null;
  }
  const events = await manager.find(AdminEvent, {
    where: { seq: MoreThan(from), kind: Equal('rating') },
    order: { seq: 'ASC' },
    take: PAGE,
  });
  const to = events.length < PAGE ? newest : (events.at(-1)?.seq ?? newest);
  if (to <= from) return null;
  const ids = events.map(({ payload }) => (payload as Rated).message_id);
  const messages = await manager.find(Message, {
    select: WATCHED,
    where: { id: In([...new Set(ids)]) },
    order: { id: 'ASC' },
  });
  return { ...page, to, messages };
}

type Rated = { message_id: number };

function matchesOf(
  { message, rules: places }: Matched,
  rules: readonly Saved[],
): Match[] {
  return places.flatMap((place) => {
    const rule = rules[place];
    if (rule === undefined) return [];
    const { id: ruleId, name, version } = rule;
    const detail = `The watch rule "${name}" (version ${version}) matched.`;
    return [{ ruleId, messageId: message.id, detail }];
  });
}

/** A parallel process may have filed the same. */
async function file(
  { writes, clock, keys }: WatchContext,
  { cursor, from, to }: Page,
  matches: readonly Match[],
): Promise<number> {
  return await writes.transaction(async (tx) => {
    const where = { name: cursor };
    const { lastId } = await tx.manager.findOneOrFail(Stream, {
      where,
      lock: { mode: 'pessimistic_write' },
    });
    if (lastId !== from) return 0;
    await tx.manager.update(Stream, where, { lastId: to, lastAt: clock.now() });
    return await fileMatches(tx, keys.server, matches, clock.now());
  }, false);
}
