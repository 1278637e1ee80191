import type { Tx } from '../../db/sql.js';
import { BoardError } from '../../errors.js';
import { recordAudit } from '../audit.js';
import type { Named, SaveTemplateInput } from '../schemas/desk-commands.js';
import type { Template } from '../schemas/views.js';
import type { Desk, Operator } from './action-context.js';

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

/** What the software brings along; one saved under the same name wins. */
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

/** Wordings for decisions, by name, each with its placeholders. */
export async function listTemplates({
  reads,
}: Pick<Desk, 'reads'>): Promise<{ data: Template[] }> {
  const saved = await reads.query<Wording>(
    `SELECT name, action, reason, explanation, updated_at, updated_by
     FROM decision_template`,
  );
  const names = new Set(saved.map(({ name }) => name));
  const others = BUILT_IN.filter(({ name }) => !names.has(name));
  const all = [...saved, ...others].map(withHoles);
  return { data: all.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

/** Saves a wording under its name, in the place of one that has it. */
export async function saveTemplate(
  desk: Pick<Desk, 'writes' | 'clock'>,
  operator: Operator,
  input: SaveTemplateInput,
): Promise<Template> {
  const now = desk.clock.now();
  return await desk.writes.transaction(async (tx) => {
    const before = await readTemplate(tx, input.name);
    await tx.query(
      `INSERT INTO decision_template (name, action, reason, explanation,
         updated_at, updated_by) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (name) DO UPDATE SET action = $2, reason = $3,
         explanation = $4, updated_at = $5, updated_by = $6`,
      [
        ...[input.name, input.action, input.reason, input.explanation],
        ...[now, operator.alias],
      ],
    );
    const subject = `template:${input.name}`;
    const deed = { action: 'template.save', subject, before, after: input };
    await recordAudit(tx, operator, deed, now);
    return withHoles({
      ...input,
      updated_at: now,
      updated_by: operator.alias,
    });
  });
}

/** @throws BoardError `not_found`; those brought along cannot go. */
export async function removeTemplate(
  desk: Pick<Desk, 'writes' | 'clock'>,
  operator: Operator,
  { name }: Named,
): Promise<{ name: string }> {
  const now = desk.clock.now();
  return await desk.writes.transaction(async (tx) => {
    const before = await readTemplate(tx, name);
    if (before === null) {
      throw new BoardError('not_found', 'No saved template has this name.');
    }
    await tx.query('DELETE FROM decision_template WHERE name = $1', [name]);
    const deed = {
      action: 'template.remove',
      subject: `template:${name}`,
      before,
    };
    await recordAudit(tx, operator, deed, now);
    return { name };
  });
}

async function readTemplate(tx: Tx, name: string): Promise<Wording | null> {
  const [row] = await tx.query<Wording>(
    `SELECT name, action, reason, explanation, updated_at, updated_by
     FROM decision_template WHERE name = $1`,
    [name],
  );
  return row ?? null;
}
