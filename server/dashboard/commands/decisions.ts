import { z } from 'zod';
import {
  MODERATION_ACTIONS,
  MODERATION_REASONS,
  type PollOutcome,
} from '../../../protocol/moderation.js';
import { ROOMS, type Room } from '../../../protocol/room.js';
import type { Sql } from '../../db/sql.js';
import { integer, oneOf, text } from '../../http/query.js';
import type { PublicDecision } from '../../moderation/index.js';
import { command } from '../command.js';
import { before, id, limit, room, said, time } from '../fields.js';
import { pageOf } from '../page.js';
import { streamFile } from '../stream-file.js';
import { decisionPage } from './evidence.sql.js';

/** Times in ms. */
export type DecisionSeen = Omit<PublicDecision, 'decided_at'> & {
  message_id: number;
  poll_id: number | null;
  room: Room;
  outcome: PollOutcome | null;
  /** Of `hide`: ratings had hidden it before. */
  stays_hidden: boolean;
  private_note: string | null;
  decided_at: number;
  superseded_by: number | null;
  /** Of its topic; null where that is removed. */
  title: string | null;
};

const input = z.strictObject({
  action: z.enum(MODERATION_ACTIONS).optional(),
  reason: z.enum(MODERATION_REASONS).optional(),
  operator: said(48).optional().describe('A public alias.'),
  room,
  message_id: id.optional(),
  from: time.optional(),
  to: time.optional().describe('Exclusive.'),
  before,
  limit,
});
export type DecisionsInput = z.output<typeof input>;

export const listDecisions = command({
  name: 'decision.list',
  reads: true,
  right: 'viewer',
  summary: 'Decisions, newest first, filtered, in pages by ID.',
  input,
  // `--operator` is the command line's own alias.
  cli: { flags: { operator: 'decided-by' } },
  handle: ({ ctx: { reads }, input }) => page(reads, input),
});

async function page(sql: Sql, input: DecisionsInput) {
  return pageOf(await decisionPage(sql, input), input.limit, ({ id }) => id);
}

async function* all(
  sql: Sql,
  filters: DecisionsInput,
): AsyncGenerator<DecisionSeen> {
  for (let before = filters.before; ; ) {
    const { data, next } = await page(sql, { ...filters, before });
    yield* data;
    if (next === null) return;
    before = next;
  }
}

const COLUMNS = [
  ...['id', 'message_id', 'poll_id', 'room', 'action', 'outcome', 'reason'],
  ...['explanation', 'private_note', 'operator', 'decided_at', 'supersedes'],
  ...['superseded_by', 'log_index'],
];

/**
 * `?format=csv|json`, by `action`, `reason`, `operator`, `room`, `message_id`,
 * `from`, `to` (ms); newest first. 400.
 */
export const exportDecisions = command({
  name: 'decision.export',
  http: 'GET /do/decisions',
  right: 'viewer',
  input: z.object({
    format: oneOf(['csv', 'json']).default('json'),
    action: oneOf(MODERATION_ACTIONS).optional(),
    reason: oneOf(MODERATION_REASONS).optional(),
    operator: text().optional(),
    room: oneOf(ROOMS).optional(),
    message_id: integer().optional(),
    from: integer().optional(),
    to: integer().optional(),
  }),
  handle: async ({ ctx, req, res, input: { format, ...filters } }) => {
    const rows = all(ctx.reads, { ...filters, limit: 100 });
    const file = { name: 'decisions', format, columns: COLUMNS, rows };
    await streamFile(req, res, file);
    return undefined;
  },
});
