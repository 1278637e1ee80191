import { createHmac } from 'node:crypto';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { community } from '../community.js';
import type { Context } from '../context.js';
import { BoardError } from '../errors.js';
import { sendJson } from '../http/conditional.js';
import { pathInteger } from '../http/query.js';
import { requestNetwork } from '../http/request-network.js';
import { parseBody, uuid } from '../http/validate.js';
import { takeBudgets } from '../take-budgets.js';
import { voterHash } from '../tickets/network-hash.js';
import { issueTicket } from '../tickets/ticket.js';
import { votingSteps } from '../tickets/voting.js';
import type { BallotPreview } from './answers.js';
import { ballotPreviewChecks } from './ballot-budgets.js';
import { type BallotDraft, noSuchPoll } from './ballot-facts.js';

/** Body of POST /api/polls/{id}/votes/preview. */
export const previewRequest = z.strictObject({
  option: z.string().describe('One option, exactly as the poll has it.'),
  request_id: uuid.describe('A fresh UUID for each new ballot.'),
});

type Chosen = {
  option: number;
  voter: Buffer;
  /** The option this network has chosen already. */
  existing: string | null;
};

/**
 * POST /api/polls/{id}/votes/preview: shows a ballot and issues its ticket and
 * challenge (spec/board.md §6.1). Every well-formed request
 * spends one preview. Never 409: that a poll is closed, or a choice made, is
 * for publishing to say. 200; 400, 404, 413, 415, 429, 503.
 */
export function previewBallot(ctx: Context): RequestHandler {
  const { baseUrl } = ctx.config;
  return async (req, res) => {
    const request = parseBody(previewRequest, req.body);
    const pollId = pathInteger(req.params.id);
    if (pollId === null) throw noSuchPoll();
    const network = requestNetwork(req, ctx.trustedProxies);
    const now = ctx.clock.now();
    const counters = await ctx.networkKeys.counterKeys(network);
    const checks = ballotPreviewChecks(counters);
    await takeBudgets(ctx.writes, checks, ctx.limits, now);
    const chosen = await choose(ctx, pollId, request.option, network);
    const { option, voter, existing } = chosen;
    const draft: BallotDraft = { pollId, option, voter: voter.toString('hex') };
    const issued = await issueTicket(ctx.tickets, {
      kind: 'ballot',
      requestId: request.request_id,
      contentHash: createHmac('sha256', ctx.keys.server)
        .update(`ballot/v1 ${pollId} ${option}`)
        .digest(),
      draft,
      network,
      counters,
      serverKey: ctx.keys.server,
      now,
      lifetimeMs: ctx.limits.ticket_seconds * 1000,
    });
    const answer: BallotPreview = {
      status: 'preview_only_nothing_published',
      request_id: request.request_id,
      public_ballot: { poll_id: pollId, option: request.option },
      ...(existing === null
        ? {}
        : { existing_vote: { poll_id: pollId, option: existing } }),
      ...votingSteps(issued, `${baseUrl}/api/polls/${pollId}/votes`),
      community: community(baseUrl),
    };
    sendJson(req, res, answer, { cache: 'no-store' });
  };
}

async function choose(
  ctx: Context,
  pollId: number,
  text: string,
  network: Uint8Array,
): Promise<Chosen> {
  const [poll] = await ctx.writes.query<{ secret: Buffer; options: string[] }>(
    `SELECT poll.secret, poll.options FROM poll
       JOIN message topic ON topic.id = poll.root_id
     WHERE poll.id = $1 AND topic.removed_at IS NULL`,
    [pollId],
  );
  if (poll === undefined) throw noSuchPoll();
  const option = poll.options.indexOf(text);
  if (option < 0) {
    throw new BoardError(
      'invalid_input',
      `\`option\` must be exactly one of the options in ${ctx.config.baseUrl}/api/polls/${pollId}, character by character.`,
      { field: 'option' },
    );
  }
  const voter = voterHash(ctx.keys.voter, poll.secret, network);
  const [ballot] = await ctx.writes.query<{ choice: number }>(
    'SELECT choice FROM ballot WHERE poll_id = $1 AND voter = $2',
    [pollId, voter],
  );
  const existing = ballot === undefined ? null : poll.options[ballot.choice];
  return { option, voter, existing: existing ?? null };
}
