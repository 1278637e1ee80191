import type { RequestHandler } from 'express';
import { z } from 'zod';
import {
  MODERATION_ACTIONS,
  MODERATION_REASONS,
} from '../../../protocol/moderation.js';
import { ROOMS } from '../../../protocol/room.js';
import type { Context } from '../../context.js';
import { integer, oneOf, parseQuery, text } from '../../http/query-fields.js';
import { streamFile } from '../stream-file.js';
import { allDecisions } from './list-decisions.js';

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
 * GET /admin/api/do/decisions?format=csv|json, filtered by `action`,
 * `reason`, `operator`, `room`, `message_id`, `from` and `to` (ms): every
 * decision that is left, newest first. 400 for a bad filter.
 */
export function exportDecisions(ctx: Context): RequestHandler {
  return async (req, res) => {
    const { format, ...filters } = parseQuery(QUERY, req.originalUrl);
    const rows = allDecisions(ctx, { ...filters, limit: 100 });
    const file = { name: 'decisions', format, columns: COLUMNS, rows };
    await streamFile(req, res, file);
  };
}
