import { Not } from 'typeorm';
import { z } from 'zod';
import {
  EXPLANATION_MAX,
  MODERATION_ACTIONS,
  MODERATION_REASONS,
  type ModerationAction,
  type ModerationReason,
  reasonsOf,
} from '../../../protocol/moderation.js';
import { SavedView } from '../../db/entities/dashboard.js';
import { DecisionTemplate } from '../../db/entities/decision.js';
import type { Sql } from '../../db/sql.js';
import { BoardError, invalid } from '../../errors.js';
import { accountOf, command } from '../command.js';
import { said, seenAt } from '../fields.js';
import { assertSeen } from '../refusals.js';
import { faultless, misnamed } from './decide.js';

const HOLE = /\{\{\s*([\p{L}\p{N}_. -]{1,60}?)\s*\}\}/gu;

const NAME_MAX = 60;
const named = z.strictObject({ name: said(NAME_MAX) });
const seen = seenAt.nullable().describe('Its last change; null: none.');

export type Template = {
  name: string;
  action: ModerationAction;
  reason: ModerationReason;
  explanation: string;
  placeholders: string[];
  /** Null: built in. */
  updated_at: number | null;
  updated_by: string | null;
};
type Wording = Omit<Template, 'placeholders'>;

/** By name; simultaneous saves may exceed it. */
const TEMPLATES_MAX = 200;
const VIEWS_MAX = 50;

/** @throws BoardError `invalid_input` when there are as many as may be */
function assertRoom(others: number, most: number, what: string): void {
  if (others < most) return;
  throw invalid('name', `${most} ${what} are saved; remove one first.`);
}

/** One saved under the same name replaces it. */
const BUILT_IN = (
  [
    [
      ['Spam', 'remove', 'spam'],
      'The same text was posted {{how many}} times without relation to the threads it was posted in.',
    ],
    [
      ['Dangerous instructions', 'remove', 'dangerous_instructions'],
      'The message instructs readers to {{what}}, which would harm a reader who follows it.',
    ],
    [
      ['Personal data', 'remove', 'privacy'],
      'The message shows {{which data}} of a person who has not agreed to it.',
    ],
    [
      ['Hidden unfairly', 'restore_visibility', 'within_rules'],
      'The votes came within {{time}} and the topic breaks no rule: {{why}}.',
    ],
    [
      ['It stays', 'keep', 'within_rules'],
      'We read the message and the reports. It stays, because {{why}}.',
    ],
  ] as const
).map(
  ([[name, action, reason], explanation]): Wording => ({
    name,
    action,
    reason,
    explanation,
    updated_at: null,
    updated_by: null,
  }),
);

function withHoles(it: Wording): Template {
  const holes = [...it.explanation.matchAll(HOLE)].map(([, name = '']) => name);
  return { ...it, placeholders: [...new Set(holes)] };
}

export const listTemplates = command({
  name: 'template.list',
  reads: true,
  right: 'viewer',
  summary: 'Wordings for decisions, by name, each with its placeholders.',
  handle: async ({ ctx: { reads } }) => {
    const saved = await reads.manager.find(DecisionTemplate);
    const names = new Set(saved.map(({ name }) => name));
    const others = BUILT_IN.filter(({ name }) => !names.has(name));
    const all = [...saved.map(wording), ...others].map(withHoles);
    return { data: all.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  },
});

export const saveTemplate = command({
  name: 'template.save',
  right: 'moderator',
  summary:
    'Save a wording under its name, in place of one that has it; at most 200.',
  input: named
    .extend({
      action: z.enum(MODERATION_ACTIONS),
      reason: z.enum(MODERATION_REASONS),
      explanation: said(EXPLANATION_MAX),
      seen,
    })
    .superRefine(faultless(misnamed)),
  handle: ({ operator, input: { seen, ...input }, audit }) =>
    audit(async (tx, now) => {
      const { name } = input;
      const before = await readTemplate(tx, name, seen);
      const others = { name: Not(name) };
      const saved = await tx.manager.countBy(DecisionTemplate, others);
      assertRoom(saved, TEMPLATES_MAX, 'templates');
      const by = { updatedAt: now, updatedBy: operator.alias };
      const row = { ...input, ...by };
      await tx.manager.upsert(DecisionTemplate, row, ['name']);
      const answer = withHoles(wording(row));
      return { answer, subject: `template:${name}`, before, after: input };
    }),
});

export const removeTemplate = command({
  name: 'template.remove',
  right: 'moderator',
  summary: 'Remove a saved wording; those of the software stay.',
  input: named.extend({ seen }),
  handle: ({ input: { name, seen }, audit }) =>
    audit(async (tx) => {
      const before = await readTemplate(tx, name, seen);
      if (before === null) {
        throw new BoardError('not_found', 'No saved template has this name.');
      }
      await tx.manager.delete(DecisionTemplate, { name });
      return { answer: { name }, subject: `template:${name}`, before };
    }),
});

/** An old reason may no longer belong to its action (§5.5). */
function wording({ updatedAt, updatedBy, ...it }: DecisionTemplate): Wording {
  const reasons = reasonsOf(it.action);
  const [first = it.reason] = reasons;
  const reason = reasons.includes(it.reason) ? it.reason : first;
  return { ...it, reason, updated_at: updatedAt, updated_by: updatedBy };
}

async function readTemplate(
  { manager }: Sql,
  name: string,
  seen: number | null | undefined,
): Promise<Wording | null> {
  const saved = await manager.findOneBy(DecisionTemplate, { name });
  const now = saved && wording(saved);
  assertSeen(seen, now?.updated_at ?? null, 'template', now);
  return now;
}

export const listViews = command({
  name: 'view.list',
  reads: true,
  right: 'viewer',
  summary: "The operator's own filters of the queue, by name.",
  handle: async ({ ctx: { reads }, operator }) => {
    const views = await reads.manager.find(SavedView, {
      where: { operatorId: accountOf(operator) },
      order: { name: 'ASC' },
    });
    return { data: views.map(({ name, query }) => ({ name, query })) };
  },
});

export const saveView = command({
  name: 'view.save',
  right: 'viewer',
  summary: 'Save a filter of the queue under a name, at most fifty.',
  input: named.extend({
    query: z.string().max(2000).describe('As in the address: `kind=card&…`.'),
  }),
  handle: ({ operator, input: { name, query }, audit }) =>
    audit(async ({ manager }, now) => {
      const operatorId = accountOf(operator);
      const others = { operatorId, name: Not(name) };
      const saved = await manager.countBy(SavedView, others);
      assertRoom(saved, VIEWS_MAX, 'of your views');
      await manager
        .createQueryBuilder()
        .insert()
        .into(SavedView)
        .values({ operatorId, name, query, createdAt: now })
        .orUpdate(['query'], ['operator_id', 'name'])
        .execute();
      const answer = { name, query };
      return { answer, subject: `view:${name}`, after: { query } };
    }),
});

export const removeView = command({
  name: 'view.remove',
  right: 'viewer',
  summary: "Removes one of the operator's own filters.",
  input: named,
  handle: ({ operator, input: { name }, audit }) =>
    audit(async ({ manager }) => {
      const which = { operatorId: accountOf(operator), name };
      const view = await manager.findOneBy(SavedView, which);
      if (view === null) {
        const detail = 'You have no saved view of this name.';
        throw new BoardError('not_found', detail);
      }
      await manager.delete(SavedView, which);
      const before = { query: view.query };
      return { answer: { name }, subject: `view:${name}`, before };
    }),
});
