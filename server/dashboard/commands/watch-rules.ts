import { randomUUID } from 'node:crypto';
import { LessThan, MoreThanOrEqual, Not } from 'typeorm';
import { z } from 'zod';
import { DAY_MS } from '../../clock.js';
import type { Context } from '../../context.js';
import { Message } from '../../db/entities/message.js';
import { WatchRule, WatchRuleVersion } from '../../db/entities/watch-rule.js';
import type { Tx } from '../../db/sql.js';
import { BoardError, invalid } from '../../errors.js';
import { command } from '../command.js';
import { id, limit, said, uuid } from '../fields.js';
import { pageOf } from '../page.js';
import { assertSeen } from '../refusals.js';
import { matchPage, WATCHED } from '../watch-rules/match-page.js';
import { type RuleSaid, watchRule } from '../watch-rules/watch-rule.js';

const RULES_MAX = 50;
const rule = watchRule.describe(
  'Such as {"kind": "words", "terms": ["casino"]}.',
);

export type WatchTrial = {
  /** Texts, newest first. */
  looked_at: number;
  /** Nothing is left of them to look at. */
  removed: number;
  matches: number;
  examples: {
    message_id: number;
    at: number;
    author: string | null;
    title: string | null;
    excerpt: string | null;
  }[];
  /** The oldest checked; 30 days ago where all were. */
  since: number;
  /** False: the time was up. */
  complete: boolean;
};

const SPAN_MS = 30 * DAY_MS;
const PAGE = 500;
const RUN_MS = 10_000;
const EXAMPLES = 20;
const EXCERPT = 160;

let busy = false;

/**
 * Matches of 30 days, newest first, within ten seconds; one trial at a time.
 * @throws BoardError `rate_limited` during another trial
 */
async function tryRule(
  ctx: Pick<Context, 'reads' | 'clock'>,
  rule: RuleSaid,
): Promise<WatchTrial> {
  if (busy) {
    throw new BoardError(
      'rate_limited',
      'Another trial runs; send yours again in ten seconds.',
      { scope: 'watch_trials', retry_after_seconds: 10 },
    );
  }
  busy = true;
  try {
    return await lookBack(ctx, rule);
  } finally {
    busy = false;
  }
}

async function lookBack(
  { reads, clock }: Pick<Context, 'reads' | 'clock'>,
  rule: RuleSaid,
): Promise<WatchTrial> {
  const began = performance.now();
  const start = clock.now() - SPAN_MS;
  const trial: WatchTrial = {
    looked_at: 0,
    removed: 0,
    matches: 0,
    examples: [],
    since: start,
    complete: true,
  };
  let before = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const page = await reads.manager.find(Message, {
      select: WATCHED,
      where: { id: LessThan(before), createdAt: MoreThanOrEqual(start) },
      order: { id: 'DESC' },
      take: PAGE,
    });
    const oldest = page.at(-1);
    if (oldest === undefined) return trial;
    const matched = await matchPage(reads, [rule], page.reverse());
    const texts = page.filter(({ body }) => body !== null).length;
    trial.looked_at += texts;
    trial.removed += page.length - texts;
    trial.matches += matched.length;
    for (const { message } of matched.reverse()) {
      if (trial.examples.length === EXAMPLES) break;
      const { id, createdAt: at, author, title, body } = message;
      const excerpt = body === null ? null : body.slice(0, EXCERPT);
      trial.examples.push({ message_id: id, at, author, title, excerpt });
    }
    if (page.length < PAGE) return trial;
    if (performance.now() - began > RUN_MS) {
      return { ...trial, since: oldest.createdAt, complete: false };
    }
    before = oldest.id;
  }
}

export const listRules = command({
  name: 'watch.list',
  reads: true,
  right: 'viewer',
  summary: 'The watch rules, by name.',
  handle: async ({ ctx: { reads } }) => {
    const rules = await reads.manager.find(WatchRule, {
      order: { name: 'ASC', id: 'ASC' },
    });
    return { data: rules.map(seen) };
  },
});

export const saveRule = command({
  name: 'watch.save',
  right: 'admin',
  summary: 'Add a watch rule, or change one, as a new version of it.',
  input: z.strictObject({
    id: uuid.optional().describe('A rule to change; without it a new one.'),
    seen: id.optional().describe('The version that the change is of.'),
    name: said(60).describe('For operators; reports show it.'),
    rule,
    paused: z.boolean().default(false).describe('It files no reports now.'),
  }),
  handle: ({ operator, input, audit }) =>
    audit(async (tx, now) => {
      const { id = randomUUID(), name, rule, paused } = input;
      const former = input.id === undefined ? null : await locked(tx, id);
      const current = former && seen(former);
      assertSeen(input.seen, former?.version, 'rule', current);
      await checkRoom(tx, id, name);
      const version = (former?.version ?? 0) + 1;
      const by = { changedAt: now, changedBy: operator.alias };
      const wording = { version, name, rule, paused, ...by };
      await tx.manager.save(WatchRule, { id, ...wording });
      await tx.manager.insert(WatchRuleVersion, { ruleId: id, ...wording });
      return {
        answer: seen({ id, ...wording }),
        subject: `watch:${id}`,
        before: current,
        after: { version, name, rule, paused },
      };
    }),
});

export const removeRule = command({
  name: 'watch.remove',
  right: 'admin',
  summary: 'Remove a watch rule; its versions and reports stay.',
  input: z.strictObject({
    id: uuid.describe('The rule.'),
    seen: id.optional().describe('The version that was seen.'),
  }),
  handle: ({ operator, input, audit }) =>
    audit(async (tx, now) => {
      const { id } = input;
      const { id: ruleId, ...former } = await locked(tx, id);
      const before = seen({ id, ...former });
      assertSeen(input.seen, former.version, 'rule', before);
      const by = { changedAt: now, changedBy: operator.alias };
      const version = former.version + 1;
      const last = { ...former, ruleId, ...by, version, removed: true };
      await tx.manager.insert(WatchRuleVersion, last);
      await tx.manager.delete(WatchRule, { id });
      return { answer: { id }, subject: `watch:${id}`, before };
    }),
});

export const listVersions = command({
  name: 'watch.versions',
  reads: true,
  right: 'viewer',
  summary: 'The versions of a watch rule, newest first.',
  input: z.strictObject({
    id: uuid.describe('The rule; a removed one, too.'),
    before: id.optional().describe('Older versions than this one.'),
    limit,
  }),
  handle: async ({ ctx: { reads }, input: { id, before, limit } }) => {
    const rows = await reads.manager.find(WatchRuleVersion, {
      where: {
        ruleId: id,
        ...(before === undefined ? {} : { version: LessThan(before) }),
      },
      order: { version: 'DESC' },
      take: limit + 1,
    });
    if (rows.length === 0 && before === undefined) throw noSuchRule();
    const { data, next } = pageOf(rows, limit, ({ version }) => version);
    const shown = data.map(({ removed, ruleId, ...it }) => {
      const { id: _id, ...said } = seen({ id: ruleId, ...it });
      return { ...said, removed };
    });
    return { data: shown, next };
  },
});

export const dryRun = command({
  name: 'watch.try',
  reads: true,
  right: 'admin',
  summary: 'Show what a rule would have matched in the last 30 days.',
  input: z.strictObject({ rule }),
  handle: ({ ctx, input: { rule } }) => tryRule(ctx, rule),
});

export type WatchRuleSeen = ReturnType<typeof seen>;
function seen({ changedAt, changedBy, rule, ...it }: WatchRule) {
  const said = rule as RuleSaid;
  return { ...it, rule: said, changed_at: changedAt, changed_by: changedBy };
}

async function locked({ manager }: Tx, id: string): Promise<WatchRule> {
  const lock = { mode: 'pessimistic_write' } as const;
  const rule = await manager.findOne(WatchRule, { where: { id }, lock });
  if (rule === null) throw noSuchRule();
  return rule;
}

function noSuchRule(): BoardError {
  return new BoardError('not_found', 'There is no such watch rule.');
}

async function checkRoom({ manager }: Tx, id: string, name: string) {
  const others = { id: Not(id) };
  if (await manager.existsBy(WatchRule, { ...others, name })) {
    throw invalid('name', 'Another rule has this name; choose another.');
  }
  if ((await manager.countBy(WatchRule, others)) < RULES_MAX) return;
  throw invalid('name', `There are ${RULES_MAX} rules; remove one first.`);
}
