import type { Context } from '../context.js';
import { publicDecision } from '../moderation/record-decision.js';
import { listAsText, nextAsText } from './list-as-text.js';
import { pathOf, type Wanted } from './moderation-html.js';

/** The log of decisions as text: each explanation is an operator's own. */
export function decisionsAsText(ctx: Context, wanted: Wanted): string {
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
