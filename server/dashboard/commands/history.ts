import type { Sql } from '../../db/sql.js';
import { moderationState } from '../../moderation/index.js';
import { pageOf } from '../page-of.js';
import type { CommandAsked } from '../schemas/commands.js';
import type { Relation } from '../schemas/scale-views.js';
import { compared, type Likeness, likenessBy } from './alike.js';
import { command } from './command.js';
import { RELATED_MAX, related } from './history.sql.js';

/**
 * What else has the name, key, text or links of a message, with the decisions
 * and reports about it. Nothing of a removed text is kept for this: such a
 * message is found by its key alone, and has no text (spec/operators.md §5.2).
 *
 * @throws BoardError `not_found`; as `queue.select` for a `by` that the
 * subject does not have.
 */
export const readHistory = command('item.history', {
  right: 'viewer',
  summary: 'Messages with the name, key, text or links of one, with outcomes.',
  handle: async ({ reads }, _operator, input) => {
    const { subject, by } = input;
    const it = await compared(reads, subject);
    const asked = by === undefined ? it.likenesses : [likenessBy(it, by)];
    const relations = await Promise.all(
      asked.map((one) => relationOf(reads, one, it.id, input)),
    );
    return { subject, relations };
  },
});

async function relationOf(
  sql: Sql,
  likeness: Likeness,
  id: number,
  page: CommandAsked<'item.history'>,
): Promise<Relation> {
  const found = await related(sql, likeness, id, page);
  const { total, reports, decisions } = found;
  const rows = found.data.map(
    ({ removed_by, erased_by, visibility, ...row }) => ({
      ...row,
      state: moderationState({ removed_by, erased_by, visibility }),
    }),
  );
  const { by, value } = likeness;
  return {
    ...{ by, value, total, capped: total >= RELATED_MAX, reports, decisions },
    ...pageOf(rows, page.limit, ({ message_id }) => message_id),
  };
}
