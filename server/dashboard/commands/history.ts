import { z } from 'zod';
import type {
  ModerationAction,
  ReportStatus,
} from '../../../protocol/moderation.js';
import type { Room } from '../../../protocol/room.js';
import type { Sql } from '../../db/sql.js';
import {
  type ModerationState,
  moderationState,
} from '../../moderation/index.js';
import { answer, command } from '../command.js';
import { before, subject } from '../fields.js';
import { type Page, pageOf } from '../page.js';
import {
  ALIKE,
  type Alike,
  compared,
  type Likeness,
  likenessBy,
} from './alike.js';
import type { DecisionSeen } from './decisions.js';
import { RELATED_MAX, related } from './history.sql.js';

/** Has something in common with an item. */
export type Related = {
  message_id: number;
  root_id: number;
  room: Room;
  created_at: number;
  /** Texts are null once removed. */
  author: string | null;
  title: string | null;
  excerpt: string | null;
  state: ModerationState;
  score: number;
  last_decision: Pick<
    DecisionSeen,
    'id' | 'action' | 'reason' | 'operator' | 'decided_at'
  > | null;
  open_reports: number;
};

export type Relation = {
  by: Alike;
  /** Name, key or hosts; null for a text. */
  value: string | null;
  /** Without the item; at most a thousand. */
  total: number;
  capped: boolean;
  reports: Record<ReportStatus, number>;
  decisions: Partial<Record<ModerationAction, number>>;
} & Page<Related>; // newest first

/**
 * By name, key, text or links, with decisions and reports. A removed message is
 * found by its key only (spec/operators.md §5.2).
 * @throws BoardError `not_found`; as `queue.select` for a `by` that the subject
 *   lacks
 */
export const readHistory = command({
  name: 'item.history',
  right: 'viewer',
  summary: 'Messages with the name, key, text or links of one, with outcomes.',
  input: z.strictObject({
    subject,
    by: z.enum(ALIKE).optional().describe('One of them; else all four.'),
    before,
    limit: z.int().min(1).max(50).default(10),
  }),
  answer: answer<{ subject: string; relations: Relation[] }>(),
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

async function relationOf(
  sql: Sql,
  likeness: Likeness,
  id: number,
  page: { before?: number | undefined; limit: number },
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
