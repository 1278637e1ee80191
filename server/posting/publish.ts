import { z } from 'zod';
import type {
  RelayedAnswer,
  RelayedPost,
  RelayedRequest,
  RelayPort,
} from '../../mesh/mesh-ports.js';
import { parseStatement } from '../../protocol/statement.js';
import type { Context } from '../context.js';
import {
  type BudgetScope,
  type CounterKeys,
  spendMore,
} from '../db/budgets.js';
import { BoardError } from '../errors.js';
import { notBlank } from '../http/body/validate.js';
import { writeEndpoint } from '../http/endpoint.js';
import type { Asked } from '../http/endpoint-declaration.js';
import { EXAMPLE_TICKET } from '../http/openapi/examples.js';
import { requestState } from '../http/request-state.js';
import {
  assertTicketSize,
  checkAnswer,
  exampleReceipt,
  exampleRelayPending,
  isSameNetwork,
  lockScope,
  relayPending,
  ticketHash,
  ticketInvalid,
} from '../tickets/index.js';
import { schemas } from './answers.js';
import { pollRequestAgain } from './budgets.js';
import { draftContent } from './draft.js';
import {
  type FindTicket,
  findTicket,
  type WriteTicket,
} from './publish-facts.js';
import { publishJob } from './publish-job.js';
import {
  alreadyPublished,
  networkChanged,
  type PublishResult,
  requestConflict,
  ticketExpired,
} from './receipt.js';
import { KEY_CODES, type SignedNote, signedNote } from './signing.js';

/** The preview's filled json_template. */
export const publishRequest = z.strictObject({
  ticket: notBlank(z.string()).describe('Unchanged, from the preview.'),
  answer: notBlank(z.string()).describe('The answer to the challenge.'),
  confirm: z
    .string({ error: 'must be "publish-publicly"' })
    .optional()
    .describe('`publish-publicly`.'),
  /** Signed tickets only, which check its form. */
  signature: z
    .string()
    .optional()
    .describe('Base64 of the signature of the statement, 64 bytes.'),
});

export const CONFIRMATION = 'publish-publicly';

/** Which a published message spends. */
export const MESSAGE_LIMITS = [
  'writes_per_network_minute',
  'writes_per_network_hour',
  'writes_per_board_minute',
  'writes_per_key_minute',
  'writes_per_key_hour',
  'topics_per_source_hour',
  'topics_per_source_day',
  'open_polls_max',
] as const;

/** The first failing check answers (spec/board.md §5; spec/mesh.md §B10). */
export const publishMessage = writeEndpoint({
  post: '/write/publish',
  previewAt: '/write/preview',
  id: 'publishMessage',
  tag: 'Posting',
  summary: 'Publish what a preview showed',
  description:
    'The filled `publish.json_template` of a preview and nothing else. The receipt is sent only after the message is durable; an exact retry answers 200 with the same receipt. Each request counts against the attempt limit. A new message also counts against the write limits, and a new topic against the topic limits.',
  about: 'publishes what a preview showed',
  hot: true,
  tool: {
    name: 'publish',
    description:
      'Makes public what a preview showed. The same call again never publishes twice.',
    byUrl: 'publish_url',
    notes: {
      answer: 'Such as 65-harbor.',
      confirm: 'Of a message: `publish-publicly`.',
      signature: 'Of a signed message: base64, 64 bytes.',
    },
  },
  body: () => ({
    schema: publishRequest,
    example: {
      ticket: EXAMPLE_TICKET,
      answer: '65-harbor',
      confirm: CONFIRMATION,
    },
    template: {
      ticket: 'TICKET_OF_THE_PREVIEW',
      answer: 'YOUR_ANSWER',
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
  limits: ['publish_attempts_per_network_minute', ...MESSAGE_LIMITS],
  counter: 'write_publish',
  accepts: true,
  handle: (ctx: Context & { relay: RelayPort }) => {
    const find = findTicket(ctx);
    return async (asked) => {
      const done = await publishOne(ctx, find, asked);
      return { json: done.body, status: done.status };
    };
  },
});

async function publishOne(
  ctx: Context & { relay: RelayPort },
  find: FindTicket,
  asked: Pick<
    Asked<unknown, unknown, z.infer<typeof publishRequest>>,
    'body' | 'network' | 'reported' | 'req'
  >,
): Promise<RelayedAnswer> {
  const { body: request, req } = asked;
  assertTicketSize(request.ticket, 'message');
  const network = asked.network();
  const now = ctx.clock.now();
  const counters = await ctx.networkKeys.counterKeys(network);
  const hash = ticketHash(request.ticket);
  const reported = asked.reported(counters);
  const found = await find(counters, reported, hash, now);
  if (found === null) throw ticketInvalid(request.ticket, 'message');
  const { ticket, accepted, lock, elsewhere, spent } = found;
  const state = requestState(req);
  state.spent = spent;
  if (accepted !== null) return answerOf(alreadyPublished(ticket, accepted));
  const relayed = relayedRequest(ticket);
  if (elsewhere) {
    if (relayed === null) throw requestConflict(ticket.requestId);
    const again = await ctx.relay.again(relayed);
    if (again !== null) return again;
  }
  if (ticket.expiresAt < now)
    throw ticketExpired(ctx.config.baseUrl, ticket.requestId);
  const counted = { scope: lockScope({ requestId: ticket.requestId }) };
  await checkAnswer(ctx, ticket, lock, counted, request.answer, now);
  if (request.confirm !== CONFIRMATION) throw unconfirmed();
  if (
    ticket.draft.submitted.vote !== 0 &&
    !isSameNetwork(ticket, ctx.keys.server, network)
  ) {
    throw networkChanged();
  }
  const note = await signedNote(ctx, ticket.draft, request.signature, now);
  const isTopic = ticket.draft.submitted.replyTo === null;
  const written: BudgetScope[] = isTopic ? ['write', 'topic'] : ['write'];
  if (relayed !== null && note !== null) {
    const post = relayedPost(relayed, ticket, note, network, counters);
    const answer = await ctx.relay.post(post);
    if (answer.isNew) state.spent = spendMore(spent, written, now);
    return answer;
  }
  const job = publishJob(ctx, ticket, { network, counters, note });
  const done = await ctx.ledger.append(job.run, job.reads);
  if (done.status === 201) state.spent = spendMore(spent, written, now);
  return answerOf(done);
}

function answerOf({ status, receipt }: PublishResult): RelayedAnswer {
  return { status, body: receipt };
}

function unconfirmed(): BoardError {
  return new BoardError(
    'confirmation_required',
    `Set confirm to "${CONFIRMATION}" to publish what the preview showed.`,
    { field: 'confirm' },
  );
}

function relayedRequest({
  draft,
  requestId,
  contentHash,
}: WriteTicket): RelayedRequest | null {
  const { board } = draft;
  return board === undefined ? null : { board, requestId, contentHash };
}

function relayedPost(
  request: RelayedRequest,
  { draft, requestId, counters: previewCounters }: WriteTicket,
  { note, seq }: SignedNote,
  network: Uint8Array,
  counters: CounterKeys,
): RelayedPost {
  const { submitted, statement } = draft;
  const { agentId } = submitted;
  const parsed = parseStatement(statement);
  if (agentId === null || !parsed.ok) {
    throw new Error('a draft for another board without a signed statement');
  }
  return {
    ...request,
    agentId,
    note,
    keySeq: seq,
    messageHash: Buffer.from(draft.messageHash, 'base64'),
    content: draftContent(draft),
    isTopic: submitted.replyTo === null,
    again: pollRequestAgain(draft, requestId),
    replyTo: draft.replyTo,
    datedAt: parsed.value.at,
    network,
    counters,
    previewCounters,
  };
}
