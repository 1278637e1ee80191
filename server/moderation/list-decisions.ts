import type { RequestHandler } from 'express';
import { ROOMS } from '../../protocol/room.js';
import type { Context } from '../context.js';
import { decisionLog, type LoggedDecision } from '../decisions/decision-log.js';
import { envelope, trust } from '../envelope.js';
import { sendJson } from '../http/conditional.js';
import { canonical, readQuery } from '../http/query.js';
import {
  DECISION_ACTIONS,
  DECISION_REASONS,
  publicDecision,
} from '../ledger/decision.js';
import { pageLimit } from '../threads/view-options.js';
import { moderationUrl } from '../urls.js';
import type { DecisionList, ListedDecision } from './contract.js';

/**
 * GET /api/moderation: the public log of decisions, newest first, in pages by
 * `before`, filtered by `action`, `reason` and `room` (spec/board.md §2.19).
 */
export function listDecisions(ctx: Context): RequestHandler {
  const { baseUrl } = ctx.config;
  return async (req, res) => {
    const query = readQuery(req);
    const limit = pageLimit(ctx, query, ctx.limits.messages_page_default);
    const before = query.integer('before', { default: null });
    const filters = {
      action: query.oneOf('action', DECISION_ACTIONS),
      reason: query.oneOf('reason', DECISION_REASONS),
      room: query.oneOf('room', ROOMS),
    };
    const rows = await decisionLog(ctx.reads, {
      ...filters,
      before,
      limit: limit + 1,
    });
    const data = rows.slice(0, limit).map((row) => shown(row, baseUrl));
    const last = data.at(-1)?.id;
    const more = canonical({ ...filters, limit, before: last });
    const next =
      rows.length > limit ? `${baseUrl}/api/moderation${more}` : null;
    const answer: DecisionList = {
      ...envelope(data, data[0]?.id ?? 0, next),
      ...trust(baseUrl),
    };
    sendJson(req, res, answer, { cache: 'no-store' });
  };
}

function shown(row: LoggedDecision, baseUrl: string): ListedDecision {
  return {
    ...publicDecision(row),
    message_id: row.message_id,
    room: row.room,
    ...(row.poll_id === null ? {} : { poll_id: row.poll_id }),
    ...(row.outcome === null ? {} : { outcome: row.outcome }),
    moderation_url: moderationUrl(baseUrl, row.message_id),
  };
}
