import { BoardError } from '../../errors.js';
import { recordAudit } from '../audit.js';
import type { Named, SaveViewInput } from '../schemas/desk-commands.js';
import type { SavedView } from '../schemas/views.js';
import type { Desk, Operator } from './action-context.js';

const VIEWS_MAX = 50;

/** The operator's own filters, by name. */
export async function listViews(
  { reads }: Pick<Desk, 'reads'>,
  { operatorId }: Operator,
): Promise<{ data: SavedView[] }> {
  const data = await reads.query<SavedView>(
    'SELECT name, query FROM saved_view WHERE operator_id = $1 ORDER BY name',
    [operatorId],
  );
  return { data };
}

/** @throws BoardError `invalid_input` for more than fifty. */
export async function saveView(
  desk: Pick<Desk, 'writes' | 'clock'>,
  operator: Operator,
  { name, query }: SaveViewInput,
): Promise<SavedView> {
  const now = desk.clock.now();
  return await desk.writes.transaction(async (tx) => {
    const saved = await tx.query(
      `INSERT INTO saved_view (operator_id, name, query, created_at)
       SELECT $1, $2, $3, $4 WHERE (SELECT count(*) FROM saved_view
         WHERE operator_id = $1 AND name <> $2) < ${VIEWS_MAX}
       ON CONFLICT (operator_id, name) DO UPDATE SET query = $3
       RETURNING 1 AS done`,
      [operator.operatorId, name, query, now],
    );
    if (saved.length === 0) {
      throw new BoardError(
        'invalid_input',
        `You have ${VIEWS_MAX} saved views; remove one first.`,
        { field: 'name' },
      );
    }
    const subject = `view:${name}`;
    const deed = { action: 'view.save', subject, after: { query } };
    await recordAudit(tx, operator, deed, now);
    return { name, query };
  });
}

/** @throws BoardError `not_found` */
export async function removeView(
  desk: Pick<Desk, 'writes' | 'clock'>,
  operator: Operator,
  { name }: Named,
): Promise<{ name: string }> {
  const now = desk.clock.now();
  return await desk.writes.transaction(async (tx) => {
    const [gone] = await tx.query<{ query: string }>(
      `DELETE FROM saved_view WHERE operator_id = $1 AND name = $2
       RETURNING query`,
      [operator.operatorId, name],
    );
    if (gone === undefined) {
      throw new BoardError('not_found', 'You have no saved view of this name.');
    }
    const subject = `view:${name}`;
    const deed = { action: 'view.remove', subject, before: gone };
    await recordAudit(tx, operator, deed, now);
    return { name };
  });
}
