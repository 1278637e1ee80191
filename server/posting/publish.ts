import type { ForeignAnswer } from '../../mesh/mesh-ports.js';
import type { AppContext } from '../context.js';
import { writeEndpoint } from '../http/endpoint.js';
import { EXAMPLE_TICKET } from '../http/openapi/examples.js';
import { exampleReceipt } from '../http/openapi/receipt.js';
import { exampleRelayPending, relayPending } from '../http/openapi/relay.js';
import {
  challengeLocked,
  forgetWrongAnswers,
  lockScope,
  wrongAnswer,
} from '../tickets/answer-lock.js';
import {
  isRightAnswer,
  isSameNetwork,
  ticketHash,
  ticketInvalid,
} from '../tickets/ticket.js';
import { schemas } from './answers.js';
import { AttemptDesk } from './find-ticket.js';
import { KEY_CODES } from './post-refusal.js';
import { publishJob } from './publish-job.js';
import {
  networkChanged,
  ticketExpired,
  unconfirmed,
} from './publish-refusals.js';
import { foreignPost, foreignRequest } from './publish-relayed.js';
import {
  CONFIRMATION,
  type PublishRequest,
  publishRequest,
} from './publish-request.js';
import {
  alreadyPublished,
  type PublishResult,
  requestConflict,
} from './receipt.js';
import { signedNote } from './signed-note.js';

/**
 * Makes a previewed message public, once; the first failing check answers
 * (spec/board.md §5; spec/mesh.md §B10 for another board).
 */
export const publishMessage = writeEndpoint({
  post: '/write/publish',
  id: 'publishMessage',
  tag: 'Posting',
  summary: 'Publish what a preview showed',
  description:
    "The filled `publish.json_template` of a preview and nothing else. The receipt is sent only after the message is durable; an exact retry answers 200 with the same receipt. Every request spends one attempt, only a new publication a write, and a topic's a topic.",
  about: 'publishes what a preview showed',
  hot: true,
  body: () => ({
    schema: publishRequest,
    example: {
      ticket: EXAMPLE_TICKET,
      answer: '65-harbor',
      confirm: CONFIRMATION,
    },
  }),
  answers: ({ baseUrl }) => ({
    201: {
      description: 'Published.',
      json: { schema: schemas.AnyReceipt, example: exampleReceipt(baseUrl) },
    },
    200: {
      description: 'Published already, by the same content and UUID.',
      json: {
        schema: schemas.AnyReceipt,
        example: { ...exampleReceipt(baseUrl), status: 'already_published' },
      },
    },
    202: {
      description:
        'For another board, which has not answered yet; it can appear up to 24 hours later.',
      json: { schema: relayPending, example: exampleRelayPending(baseUrl) },
    },
  }),
  errors: [
    'ticket_invalid',
    'ticket_expired',
    'wrong_answer',
    'confirmation_required',
    ...KEY_CODES,
    'key_superseded',
    'signature_invalid',
    'stale_statement',
    'request_id_conflict',
    'network_changed',
    'funnel_thread_changed',
    'series_requires_reply',
    'challenge_locked',
    'topic_budget_exhausted',
    'unknown_board',
    'origin_rejected',
    'origin_unreachable',
  ],
  limits: [
    'publish_attempts_per_network_minute',
    'writes_per_network_minute',
    'writes_per_network_hour',
    'writes_per_board_minute',
    'writes_per_key_minute',
    'writes_per_key_hour',
    'topics_per_source_hour',
    'topics_per_source_day',
    'open_polls_max',
  ],
  counter: 'write_publish',
  accepts: true,
  handle: (ctx) => {
    const attempts = new AttemptDesk(ctx);
    return async (asked) => {
      const network = asked.network();
      const done = await publishOne(ctx, attempts, asked.body, network);
      return { json: done.body, status: done.status };
    };
  },
});

async function publishOne(
  ctx: AppContext,
  attempts: AttemptDesk,
  request: PublishRequest,
  network: Uint8Array,
): Promise<ForeignAnswer> {
  const now = ctx.clock.now();
  const counters = await ctx.networkKeys.counterKeys(network);
  const hash = ticketHash(request.ticket);
  const found = await attempts.find(counters, hash, now);
  if (found === null) throw ticketInvalid();
  const { ticket, accepted, lock, elsewhere } = found;
  if (accepted !== null) return answerOf(alreadyPublished(ticket, accepted));
  const foreign = foreignRequest(ticket);
  if (elsewhere) {
    if (foreign === null) throw requestConflict(ticket.requestId);
    const again = await ctx.relay.again(foreign);
    if (again !== null) return again;
  }
  if (ticket.expiresAt < now) throw ticketExpired(ctx, ticket.requestId);
  if (lock.until > now) throw challengeLocked(lock.until, now);
  const scope = lockScope({ requestId: ticket.requestId });
  if (!isRightAnswer(ticket, ctx.keys.server, request.answer)) {
    throw await wrongAnswer(ctx.writes, scope, ctx.limits, now);
  }
  if (lock.wrong > 0) await forgetWrongAnswers(ctx.writes, scope, now);
  if (request.confirm !== CONFIRMATION) throw unconfirmed();
  if (
    ticket.draft.submitted.vote !== 0 &&
    !isSameNetwork(ticket, ctx.keys.server, network)
  ) {
    throw networkChanged();
  }
  const note = await signedNote(ctx, ticket.draft, request.signature, now);
  if (foreign !== null && note !== null) {
    return await ctx.relay.post(
      foreignPost(foreign, ticket, note, network, counters),
    );
  }
  const job = publishJob(ctx, ticket, { network, counters, note });
  return answerOf(await ctx.ledger.append(job));
}

function answerOf({ status, receipt }: PublishResult): ForeignAnswer {
  return { status, body: receipt };
}
