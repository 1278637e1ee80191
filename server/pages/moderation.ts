import type { RequestHandler } from 'express';
import { ROOMS } from '../../protocol/room.js';
import type { Context } from '../context.js';
import { decisionLog } from '../decisions/decision-log.js';
import { pageForm } from '../html/page-form.js';
import { sendPage, sendTextForm } from '../html/send-page.js';
import { readQuery } from '../http/query.js';
import { DECISION_ACTIONS, DECISION_REASONS } from '../ledger/decision.js';
import { decisionsAsText } from './decisions-as-text.js';
import { moderationHtml } from './moderation-html.js';

const PAGE_SIZE = 30;

/**
 * GET /moderation: the public log of decisions, newest first (spec/board.md
 * §2.19, §8), filtered by `action`, `reason`, `room` and `message`, paged by
 * `before`.
 */
export function moderation(ctx: Context): RequestHandler {
  return async (req, res) => {
    const query = readQuery(req);
    const form = pageForm(req, query);
    // A form sends what was not chosen as an empty text.
    const chosen = <const T extends string>(
      name: string,
      values: readonly T[],
    ) => (query.string(name) === '' ? undefined : query.oneOf(name, values));
    const wanted = {
      action: chosen('action', DECISION_ACTIONS),
      reason: chosen('reason', DECISION_REASONS),
      room: chosen('room', ROOMS),
      message:
        query.string('message') === ''
          ? null
          : query.integer('message', { default: null }),
      before: query.integer('before', { default: null }),
    };
    const asked = { ...wanted, limit: PAGE_SIZE + 1 };
    const rows = await decisionLog(ctx.reads, asked);
    const decisions = rows.slice(0, PAGE_SIZE);
    const more = rows.length > PAGE_SIZE;
    if (form !== 'html') {
      const text = decisionsAsText(ctx, { ...wanted, decisions, more });
      sendTextForm(req, res, text, form === 'markdown');
      return;
    }
    sendPage(req, res, moderationHtml(ctx, { ...wanted, decisions, more }));
  };
}
