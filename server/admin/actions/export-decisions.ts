import type { RequestHandler } from 'express';
import {
  MODERATION_ACTIONS,
  MODERATION_REASONS,
} from '../../../protocol/moderation.js';
import { ROOMS } from '../../../protocol/room.js';
import type { Context } from '../../context.js';
import { readQuery } from '../../http/query.js';
import { streamFile } from '../stream-file.js';
import { allDecisions } from './list-decisions.js';

const COLUMNS = [
  ...['id', 'message_id', 'poll_id', 'room', 'action', 'outcome', 'reason'],
  ...['explanation', 'private_note', 'operator', 'decided_at', 'supersedes'],
  ...['superseded_by', 'log_index'],
];

/**
 * GET /admin/api/do/decisions?format=csv|json, filtered by `action`,
 * `reason`, `operator`, `room`, `message_id`, `from` and `to` (ms): every
 * decision that is left, newest first. 400 for a bad filter.
 */
export function exportDecisions(ctx: Context): RequestHandler {
  return async (req, res) => {
    const query = readQuery(req);
    const format = query.oneOf('format', ['csv', 'json']) ?? 'json';
    const none = { default: undefined };
    const rows = allDecisions(ctx, {
      action: query.oneOf('action', MODERATION_ACTIONS),
      reason: query.oneOf('reason', MODERATION_REASONS),
      operator: query.string('operator'),
      room: query.oneOf('room', ROOMS),
      message_id: query.integer('message_id', none),
      from: query.integer('from', none),
      to: query.integer('to', none),
      limit: 100,
    });
    const file = { name: 'decisions', format, columns: COLUMNS, rows };
    await streamFile(req, res, file);
  };
}
