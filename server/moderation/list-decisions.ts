import type { RequestHandler } from 'express';
import { ROOMS } from '../../protocol/room.js';
import type { Context } from '../context.js';
import { envelope, trust } from '../envelope.js';
import { sendJson } from '../http/conditional.js';
import { canonical, readQuery } from '../http/query.js';
import {
  DECISION_ACTIONS,
  DECISION_COLUMNS,
  DECISION_REASONS,
  type DecisionRow,
  publicDecision,
} from '../ledger/decision.js';
import { moderationUrl } from '../urls.js';

import type { DecisionList, ListedDecision } from './contract.js';

type Row = DecisionRow & {
  message_id: number;
  room: ListedDecision['room'];
  poll_id: number | null;
  outcome: NonNullable<ListedDecision['outcome']> | null;
};

const STATEMENT = `SELECT ${DECISION_COLUMNS}, d.message_id, m.room, d.poll_id,
    d.outcome
  FROM decision d JOIN message m ON m.id = d.message_id
  WHERE ($1::bigint IS NULL OR d.id < $1)
    AND ($3::text IS NULL OR d.action = $3)
    AND ($4::text IS NULL OR d.reason = $4)
    AND ($5::text IS NULL OR m.room = $5)
  ORDER BY d.id DESC LIMIT $2`;

/**
 * GET /api/moderation: the public log of decisions, newest first, in pages by
 * `before`, filtered by `action`, `reason` and `room` (decisions 2.19).
 */
export function listDecisions(ctx: Context): RequestHandler {
  const { baseUrl } = ctx.config;
  const { page_max: max, messages_page_default: byDefault } = ctx.limits;
  return async (req, res) => {
    const query = readQuery(req);
    const limit = query.integer('limit', { min: 1, max, default: byDefault });
    const before = query.integer('before', { default: null });
    const filters = {
      action: query.oneOf('action', DECISION_ACTIONS),
      reason: query.oneOf('reason', DECISION_REASONS),
      room: query.oneOf('room', ROOMS),
    };
    const rows = await ctx.reads.query<Row>(STATEMENT, [
      before,
      limit + 1,
      filters.action ?? null,
      filters.reason ?? null,
      filters.room ?? null,
    ]);
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

function shown(row: Row, baseUrl: string): ListedDecision {
  return {
    ...publicDecision(row),
    message_id: row.message_id,
    room: row.room,
    ...(row.poll_id === null ? {} : { poll_id: row.poll_id }),
    ...(row.outcome === null ? {} : { outcome: row.outcome }),
    moderation_url: moderationUrl(baseUrl, row.message_id),
  };
}
