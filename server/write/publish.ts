import type { RequestHandler } from 'express';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { sendJson } from '../http/conditional.js';
import { requestNetwork } from '../http/request-network.js';
import { parseBody } from '../http/validate.js';
import type { ForeignAnswer, OtherBoards } from '../other-boards.js';
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
import { AttemptDesk } from './find-ticket.js';
import { foreignPost, foreignRequest } from './publish-foreign.js';
import { publishJob } from './publish-job.js';
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
 * POST /write/publish: makes a previewed message public, once (spec/board.md
 * §5). The first failing check answers. 201 published, 200 already_published;
 * 202 relay_pending of one for another board (spec/mesh.md §B10); 400, 403,
 * 404, 409, 413, 415, 429, 502, 503.
 */
export function publish(ctx: Context, others: OtherBoards): RequestHandler {
  const attempts = new AttemptDesk(ctx);
  return async (req, res) => {
    const request = parseBody(publishRequest, req.body);
    const network = requestNetwork(req, ctx.trustedProxies);
    const { status, body } = await publishOne(
      { ctx, others, attempts },
      request,
      network,
    );
    sendJson(req, res, body, { cache: 'no-store', status });
  };
}

type Parts = { ctx: Context; others: OtherBoards; attempts: AttemptDesk };

async function publishOne(
  { ctx, others, attempts }: Parts,
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
    const again = await others.again(foreign);
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
    return await others.post(
      foreignPost(foreign, ticket, note, network, counters),
    );
  }
  const job = publishJob(ctx, ticket, { network, counters, note });
  return answerOf(await ctx.ledger.append(job));
}

function answerOf({ status, receipt }: PublishResult): ForeignAnswer {
  return { status, body: receipt };
}

function ticketExpired(ctx: Context, requestId: string): BoardError {
  return new BoardError(
    'ticket_expired',
    'This ticket is older than its lifetime and nothing was published with it. Look up the receipt, then preview the same content with the same request_id.',
    {
      suggested_action: {
        method: 'GET',
        url: `${ctx.config.baseUrl}/api/requests/${requestId}`,
        instruction: `If the receipt is missing, POST the same content with request_id ${requestId} to ${ctx.config.baseUrl}/write/preview and publish the new ticket.`,
      },
    },
  );
}

function unconfirmed(): BoardError {
  return new BoardError(
    'confirmation_required',
    `Set confirm to "${CONFIRMATION}" to publish what the preview showed.`,
    { field: 'confirm' },
  );
}

function networkChanged(): BoardError {
  return new BoardError(
    'network_changed',
    'A ticket with a vote can only be published from the network that previewed it; preview again from here with the same request_id.',
  );
}
