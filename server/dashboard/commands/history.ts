import { z } from 'zod';
import type { Sql } from '../../db/sql.js';
import { moderationState } from '../../moderation/index.js';
import { command } from '../command.js';
import { before, subject } from '../fields.js';
import { pageOf } from '../page.js';
import { ALIKE, compared, type Likeness, likenessBy } from './alike.js';
import { RELATED_MAX, related } from './history.sql.js';

/**
 * By name, key, text or links, with decisions and reports. A removed message is
 * found by its key only (spec/operators.md §5.2).
 * @throws BoardError `not_found`; as `queue.select` for a `by` that the subject
 *   lacks
 */
export const readHistory = command({
  name: 'item.history',
  reads: true,
  right: 'viewer',
  summary: 'Messages with the name, key, text or links of one, with outcomes.',
  input: z.strictObject({
    subject,
    by: z.enum(ALIKE).optional().describe('One of them; else all four.'),
    before,
    limit: z.int().min(1).max(50).default(10),
  }),
  handle: async ({ ctx: { reads }, input }) => {
    const { subject, by } = input;
    const it = await compared(reads, subject);
    const asked = by === undefined ? it.likenesses : [likenessBy(it, by)];
    const relations = await Promise.all(
      asked.map((one) => relationOf(reads, one, it.id, input)),
    );
    return { subject, relations };
  },
});

export type Relation = Awaited<ReturnType<typeof relationOf>>;
async function relationOf(
  sql: Sql,
  likeness: Likeness,
  id: number,
  page: { before?: number | undefined; limit: number },
) {
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
    by,
    value,
    total,
    capped: total >= RELATED_MAX,
    reports,
    decisions,
    ...pageOf(rows, page.limit, ({ message_id }) => message_id),
  };
}
