import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import type { Turn } from '../ledger/turn.js';
import { funnelChanged, funnelTarget } from './content-rules/funnel.js';
import { seriesAnswer, seriesTopics } from './content-rules/series.js';
import { traitsOf } from './content-rules/traits.js';
import type { WriteTicket } from './find-ticket.js';

/** Rechecks under the lock what the preview decided about a top-level body. */
export async function topicRefusal(
  ctx: Context,
  turn: Turn,
  ticket: WriteTicket,
): Promise<BoardError | null> {
  const { draft } = ticket;
  const { submitted, funnelPhrase } = draft;
  if (funnelPhrase !== null) {
    const target = await funnelTarget(turn.tx, funnelPhrase);
    if ((target?.id ?? null) !== draft.replyTo) {
      return funnelChanged(funnelPhrase, target);
    }
    if (target !== null) return null;
  }
  const { baseUrl } = ctx.config;
  const traits = traitsOf(submitted.title ?? '', submitted.body, []);
  const topics = await seriesTopics(turn.tx, traits, turn.now, baseUrl);
  if (topics.length === 0) return null;
  const { detail, ...extras } = seriesAnswer(
    {
      body: submitted.body,
      name: submitted.name,
      requestId: ticket.requestId,
    },
    topics,
    baseUrl,
  );
  return new BoardError('series_requires_reply', detail, {
    existing_topics: [...extras.existing_topics],
    suggested_action: extras.suggested_action,
  });
}
