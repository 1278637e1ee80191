import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import type { Turn } from '../ledger/append-context.js';
import { openPollsRefusal } from '../polls/open-polls-limit.js';
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
  const { submitted } = draft;
  const { baseUrl, funnelPhrases } = ctx.config;
  const traits = traitsOf(submitted.title ?? '', submitted.body, funnelPhrases);
  const target = await funnelTarget(turn.tx, traits.funnelPhrases);
  if ((target?.id ?? null) !== draft.replyTo) return funnelChanged(target);
  if (target !== null) return null;
  const topics = await seriesTopics(turn.tx, traits, turn.now, baseUrl);
  if (topics.length === 0) {
    return submitted.poll === null
      ? null
      : await openPollsRefusal(turn.tx, ctx.limits, turn.now);
  }
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
