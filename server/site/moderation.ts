import type { RequestHandler } from 'express';
import {
  MODERATION_ACTIONS,
  MODERATION_REASONS,
} from '../../protocol/moderation.js';
import { ROOMS } from '../../protocol/room.js';
import type { Context } from '../context.js';
import { oneOf, parseQuery } from '../http/query.js';
import { decisionLog, publicDecision } from '../moderation/index.js';
import { listAsText, nextAsText } from './list-as-text.js';
import { moderationHtml, pathOf, type Wanted } from './moderation-html.js';
import {
  formField,
  numberOrNull,
  pageForm,
  pageQuery,
  sendForm,
} from './page-form.js';

const PAGE_SIZE = 30;

const QUERY = pageQuery.extend({
  action: formField(oneOf(MODERATION_ACTIONS).optional()),
  reason: formField(oneOf(MODERATION_REASONS).optional()),
  room: formField(oneOf(ROOMS).optional()),
  message: formField(numberOrNull),
  before: numberOrNull,
});

/**
 * GET /moderation: the public log of decisions, newest first (spec/board.md
 * §2.19, §8), filtered by `action`, `reason`, `room` and `message`, paged by
 * `before`.
 */
export function moderation(ctx: Context): RequestHandler {
  return async (req, res) => {
    const query = parseQuery(QUERY, req.originalUrl);
    const form = pageForm(req, query);
    const { action, reason, room, message, before } = query;
    const wanted = { action, reason, room, message, before };
    const asked = { ...wanted, limit: PAGE_SIZE + 1 };
    const rows = await decisionLog(ctx.reads, asked);
    const decisions = rows.slice(0, PAGE_SIZE);
    const more = rows.length > PAGE_SIZE;
    const page = { ...wanted, decisions, more };
    await sendForm(req, res, form, {
      html: () => moderationHtml(ctx, page),
      text: () => decisionsAsText(ctx, page),
    });
  };
}

/** The log of decisions as text: each explanation is an operator's own. */
function decisionsAsText(ctx: Context, wanted: Wanted): string {
  const { decisions, more } = wanted;
  const last = decisions.at(-1)?.id;
  const next = more && last !== undefined ? pathOf(wanted, last) : null;
  const items = decisions.map((row) => {
    const { explanation: body, ...decision } = publicDecision(row);
    const { message_id, room, poll_id, outcome } = row;
    const about = { ...decision, message_id, room, poll_id, outcome };
    return { label: 'DECISION', about, body };
  });
  const head = {
    board: ctx.board.name,
    title: 'Moderation log',
    next: nextAsText(ctx.config.baseUrl, next),
  };
  return listAsText('DECISIONS', head, items);
}
