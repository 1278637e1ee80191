import { Not } from 'typeorm';
import { SavedView } from '../../db/entities/dashboard.js';
import { DecisionTemplate } from '../../db/entities/decision.js';
import type { Sql } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import { audited } from '../audit.js';
import type { Template } from '../schemas/views.js';
import { accountOf, command } from './command.js';

const HOLE = /\{\{\s*([\p{L}\p{N}_. -]{1,60}?)\s*\}\}/gu;

type Wording = Omit<Template, 'placeholders'>;

function builtIn(
  name: string,
  action: Template['action'],
  reason: Template['reason'],
  explanation: string,
): Wording {
  return {
    name,
    action,
    reason,
    explanation,
    updated_at: null,
    updated_by: null,
  };
}

/** Templates of the software; one saved under the same name replaces it. */
const BUILT_IN: readonly Wording[] = [
  builtIn(
    'Spam',
    'remove',
    'spam',
    'The same text was posted {{how many}} times without relation to the threads it was posted in.',
  ),
  builtIn(
    'Dangerous instructions',
    'remove',
    'dangerous_instructions',
    'The message instructs readers to {{what}}, which would harm whoever follows it.',
  ),
  builtIn(
    'Personal data',
    'remove',
    'privacy',
    'The message shows {{which data}} of a person who has not agreed to it.',
  ),
  builtIn(
    'Hidden unfairly',
    'restore_visibility',
    'rating_visibility',
    'The votes came within {{time}} and the topic breaks no rule: {{why}}.',
  ),
  builtIn(
    'It stays',
    'keep',
    'other',
    'We read the message and the reports. It stays, because {{why}}.',
  ),
];

function withHoles(it: Wording): Template {
  const holes = [...it.explanation.matchAll(HOLE)].map(([, name = '']) => name);
  return { ...it, placeholders: [...new Set(holes)] };
}

export const listTemplates = command('template.list', {
  right: 'viewer',
  summary: 'Wordings for decisions, by name, each with its placeholders.',
  handle: async ({ reads }) => {
    const saved = await reads.manager.getRepository(DecisionTemplate).find();
    const names = new Set(saved.map(({ name }) => name));
    const others = BUILT_IN.filter(({ name }) => !names.has(name));
    const all = [...saved.map(wording), ...others].map(withHoles);
    return { data: all.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  },
});

export const saveTemplate = command('template.save', {
  right: 'moderator',
  summary: 'Saves a wording under its name, and replaces one that has it.',
  handle: (context, operator, input) =>
    audited(context, operator, 'template.save', async (tx, now) => {
      const { name } = input;
      const before = await readTemplate(tx, name);
      const by = { updatedAt: now, updatedBy: operator.alias };
      await tx.manager
        .getRepository(DecisionTemplate)
        .upsert({ ...input, ...by }, ['name']);
      const answer = withHoles(wording({ ...input, ...by }));
      return { answer, subject: `template:${name}`, before, after: input };
    }),
});

export const removeTemplate = command('template.remove', {
  right: 'moderator',
  summary: 'Removes a saved wording; those of the software stay.',
  handle: (context, operator, { name }) =>
    audited(context, operator, 'template.remove', async (tx) => {
      const before = await readTemplate(tx, name);
      if (before === null) {
        throw new BoardError('not_found', 'No saved template has this name.');
      }
      await tx.manager.getRepository(DecisionTemplate).delete({ name });
      return { answer: { name }, subject: `template:${name}`, before };
    }),
});

function wording({ updatedAt, updatedBy, ...it }: DecisionTemplate): Wording {
  return { ...it, updated_at: updatedAt, updated_by: updatedBy };
}

async function readTemplate(sql: Sql, name: string): Promise<Wording | null> {
  const templates = sql.manager.getRepository(DecisionTemplate);
  const saved = await templates.findOneBy({ name });
  return saved && wording(saved);
}

const VIEWS_MAX = 50;

export const listViews = command('view.list', {
  right: 'viewer',
  summary: "The operator's own filters of the queue, by name.",
  handle: async ({ reads }, operator) => {
    const views = await reads.manager.getRepository(SavedView).find({
      where: { operatorId: accountOf(operator) },
      order: { name: 'ASC' },
    });
    return { data: views.map(({ name, query }) => ({ name, query })) };
  },
});

export const saveView = command('view.save', {
  right: 'viewer',
  summary: 'Saves a filter of the queue under a name, at most fifty.',
  handle: (context, operator, { name, query }) =>
    audited(context, operator, 'view.save', async ({ manager }, now) => {
      const operatorId = accountOf(operator);
      const views = manager.getRepository(SavedView);
      const others = await views.countBy({ operatorId, name: Not(name) });
      if (others >= VIEWS_MAX) {
        throw new BoardError(
          'invalid_input',
          `You have ${VIEWS_MAX} saved views; remove one first.`,
          { field: 'name' },
        );
      }
      await views
        .createQueryBuilder()
        .insert()
        .values({ operatorId, name, query, createdAt: now })
        .orUpdate(['query'], ['operator_id', 'name'])
        .execute();
      const answer = { name, query };
      return { answer, subject: `view:${name}`, after: { query } };
    }),
});

export const removeView = command('view.remove', {
  right: 'viewer',
  summary: "Removes one of the operator's own filters.",
  handle: (context, operator, { name }) =>
    audited(context, operator, 'view.remove', async ({ manager }) => {
      const views = manager.getRepository(SavedView);
      const view = await views.findOneBy({
        operatorId: accountOf(operator),
        name,
      });
      if (view === null) {
        throw new BoardError(
          'not_found',
          'You have no saved view of this name.',
        );
      }
      await views.delete({ operatorId: view.operatorId, name });
      const before = { query: view.query };
      return { answer: { name }, subject: `view:${name}`, before };
    }),
});
