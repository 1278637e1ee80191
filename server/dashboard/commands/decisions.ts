import { z } from 'zod';
import {
  MODERATION_ACTIONS,
  MODERATION_REASONS,
} from '../../../protocol/moderation.js';
import { ROOMS } from '../../../protocol/room.js';
import type { Sql } from '../../db/sql.js';
import { integer, oneOf, parseQuery, text } from '../../http/query.js';
import { action } from '../actions.js';
import { pageOf } from '../page-of.js';
import type { CommandAsked } from '../schemas/commands.js';
import type { DecisionPage, DecisionSeen } from '../schemas/views.js';
import { streamFile } from '../stream-file.js';
import { command } from './command.js';
import { decisionPage } from './evidence.sql.js';

type Input = CommandAsked<'decision.list'>;

export const listDecisions = command('decision.list', {
  right: 'viewer',
  summary: 'Decisions, newest first, filtered, in pages by ID.',
  // `--operator` is the alias that the command line acts under.
  cli: { flags: { operator: 'decided-by' } },
  handle: ({ reads }, _operator, input) => page(reads, input),
});

async function page(sql: Sql, input: Input): Promise<DecisionPage> {
  return pageOf(await decisionPage(sql, input), input.limit, ({ id }) => id);
}

async function* all(sql: Sql, filters: Input): AsyncGenerator<DecisionSeen> {
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

const QUERY = z.object({
  format: oneOf(['csv', 'json']).default('json'),
  action: oneOf(MODERATION_ACTIONS).optional(),
  reason: oneOf(MODERATION_REASONS).optional(),
  operator: text().optional(),
  room: oneOf(ROOMS).optional(),
  message_id: integer().optional(),
  from: integer().optional(),
  to: integer().optional(),
});

/**
 * `?format=csv|json`, filtered by `action`, `reason`, `operator`, `room`,
 * `message_id`, `from` and `to` (ms): every decision that is left, newest
 * first. 400 for a bad filter.
 */
export const exportDecisions = action({
  name: 'decision.export',
  get: '/do/decisions',
  least: 'viewer',
  handle: async ({ ctx, req, res }) => {
    const { format, ...filters } = parseQuery(QUERY, req.originalUrl);
    const rows = all(ctx.reads, { ...filters, limit: 100 });
    const file = { name: 'decisions', format, columns: COLUMNS, rows };
    await streamFile(req, res, file);
    return undefined;
  },
});
