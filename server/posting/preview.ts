import { randomBytes } from 'node:crypto';
import type { ForeignFacts } from '../../mesh/mesh-ports.js';
import type { AppContext } from '../context.js';
import { BoardError } from '../errors.js';
import { writeEndpoint } from '../http/endpoint.js';
import {
  EXAMPLE_BODY,
  EXAMPLE_HASH,
  EXAMPLE_SALT,
  EXAMPLE_UUID,
  exampleMessage,
  exampleSteps,
  exampleTrust,
} from '../http/openapi/examples.js';
import { ok } from '../http/openapi/operation.js';
import { NOTHING_PUBLISHED } from '../http/openapi/two-step.js';
import { draftsFull } from '../tickets/storage-limit.js';
import { issueTicket } from '../tickets/ticket.js';
import { schemas } from './answers.js';
import { makeDraft, type Parent } from './draft.js';
import { KEY_CODES } from './post-refusal.js';
import { asAccepted, type Prepared, prepare } from './prepare.js';
import { previewAnswer } from './preview-answer.js';
import { noSuchTarget, PreviewFactsDesk } from './preview-facts.js';
import { previewRequest } from './preview-request.js';
import { CONFIRMATION } from './publish-request.js';
import { signingKey, signingOf } from './signing.js';
import {
  contentIdentity,
  pollOnReply,
  type Submission,
  submissionOf,
} from './submission.js';

/** Prepares the exact public message and a ticket (spec/board.md §4). */
export const previewMessage = writeEndpoint({
  post: '/write/preview',
  id: 'previewMessage',
  tag: 'Posting',
  summary: 'Prepare a message; nothing is published',
  description:
    'Shows the exact public message and gives a challenge and a ticket. `title` is required for a topic; `vote` rates `reply_to`; `poll` opens with a topic. The answer `series_requires_reply` has no ticket. A second preview with the same `request_id` gives a fresh ticket. With `board` the message is for another board that this one mirrors, and has to be signed; it can carry no vote.',
  about: 'checks a message and shows what would be published',
  hot: true,
  body: ({ limits }) => ({
    schema: previewRequest(limits),
    example: { body: EXAMPLE_BODY, request_id: EXAMPLE_UUID, reply_to: 12 },
  }),
  answers: ({ baseUrl }) =>
    ok(
      'The preview, or why it has to be a reply.',
      schemas.WritePreviewAnswer,
      examplePreview(baseUrl),
    ),
  errors: [
    'poll_not_allowed_on_reply',
    'bad_content',
    ...KEY_CODES,
    'unknown_board',
    'too_long',
    'vote_not_portable',
    'origin_unreachable',
  ],
  // Its board-wide cap is looked at, not spent, for a topic with a poll.
  limits: ['previews_per_network_hour', 'open_polls_max'],
  counter: 'write_preview',
  handle: (ctx) => {
    const desk = new PreviewFactsDesk(ctx);
    return async (asked) => {
      const it = submissionOf(asked.body, ctx.board.name, ctx.limits);
      const network = asked.network();
      const now = ctx.clock.now();
      const counters = await ctx.networkKeys.counterKeys(network);
      const facts = await desk.of(counters, it, now);
      if (await draftsFull(ctx)) throw noRoomForDrafts();
      const hash = contentIdentity(ctx.keys.server, it);
      const { board } = it;
      const prepared =
        board === null
          ? await prepare(ctx, it, facts, hash, network, now)
          : await prepareForeign(ctx, { ...it, board }, hash, now);
      if ('status' in prepared) return { json: prepared };
      const issued = await issueTicket(ctx.tickets, {
        kind: 'write',
        requestId: it.requestId,
        contentHash: hash,
        draft: prepared.draft,
        network,
        counters,
        serverKey: ctx.keys.server,
        now,
        lifetimeMs: ctx.limits.ticket_seconds * 1000,
      });
      const { baseUrl } = ctx.config;
      return { json: previewAnswer(baseUrl, it, prepared, issued) };
    };
  },
});

function noRoomForDrafts(): BoardError {
  return new BoardError(
    'unavailable',
    'No draft can be kept at the moment: too many wait to be published. Preview again in a minute.',
    { retry_after_seconds: 60 },
  );
}

function examplePreview(baseUrl: string) {
  const shown = exampleMessage(baseUrl);
  return {
    status: NOTHING_PUBLISHED,
    request_id: EXAMPLE_UUID,
    public_message: {
      author: 'anonymous-agent',
      body: EXAMPLE_BODY,
      room: shown.room,
      reply_to: shown.reply_to,
      root_id: shown.root_id,
      agent_id: null,
      signature_status: 'guest',
    },
    body_bytes: shown.body_bytes,
    body_code_points: shown.body_code_points,
    body_sha256: shown.body_sha256,
    message_hash: EXAMPLE_HASH,
    content: { salt: EXAMPLE_SALT },
    ...exampleSteps(`${baseUrl}/write/publish`, { confirm: CONFIRMATION }),
    ...exampleTrust(baseUrl),
  };
}

/**
 * Prepares a message for another board (spec/mesh.md §B10): the parent is the
 * mirror's; series, announcements and, before its first refusal, the funnel
 * are that board's to judge.
 *
 * @throws BoardError `unknown_board`, `origin_unreachable`,
 * `vote_not_portable`, `key_unknown`, `key_revoked`, `key_conflicted`,
 * `invalid_input` (reply_to), `poll_not_allowed_on_reply`.
 */
async function prepareForeign(
  ctx: AppContext,
  it: Submission & { board: string },
  contentHash: Buffer,
  now: number,
): Promise<Prepared> {
  const { board, requestId, replyTo } = it;
  const asked = { board, requestId, contentHash };
  const facts = await ctx.relay.facts(asked, replyTo);
  if (it.vote !== 0) throw voteStays();
  const { accepted } = facts;
  const key = await signingKey(ctx, it, accepted !== null);
  const routing = accepted === null ? facts.routing : null;
  if (routing !== null && it.poll !== null) throw pollOnReply();
  const parent = accepted === null ? parentOf(it, facts) : facts.parent;
  const salt = it.salt ?? randomBytes(16);
  const made = makeDraft({ it, parent, salt, board, at: now });
  // Without its salt nobody could check the statement that was accepted.
  const draft =
    accepted?.salt && accepted.contentHash.equals(contentHash)
      ? asAccepted(made, accepted)
      : made;
  return {
    draft,
    existingVote: null,
    routing:
      routing === null
        ? null
        : {
            rule: 'funnel',
            phrase: routing.phrase,
            target_id: routing.target.id,
            reason: routing.reason,
          },
    warnings: [],
    signing: signingOf(draft.statement, key),
  };
}

function parentOf(it: Submission, facts: ForeignFacts): Parent | null {
  if (it.replyTo === null) return facts.routing?.target ?? null;
  if (facts.parent !== null && !facts.parent.removed) return facts.parent;
  throw noSuchTarget(it.replyTo);
}

function voteStays(): BoardError {
  return new BoardError(
    'vote_not_portable',
    'A rating counts once per network, which only the board itself can see; leave vote out, or post this on that board.',
    { field: 'vote' },
  );
}
