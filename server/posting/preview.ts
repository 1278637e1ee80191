import { createHash } from 'node:crypto';
import { publicTime } from '../clock.js';
import { BoardError } from '../errors.js';
import { countCodePoints } from '../http/code-points.js';
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
import { NOTHING_PUBLISHED } from '../http/openapi/receipt.js';
import { requestState } from '../http/request-state.js';
import { CONTENT_TRUST, community } from '../http/send.js';
import { publicPoll } from '../polls/index.js';
import {
  CHALLENGE_INSTRUCTION,
  draftsFull,
  type Issued,
  issueTicket,
} from '../tickets/index.js';
import { type PublicMessage, schemas, type WritePreview } from './answers.js';
import type { Draft } from './draft.js';
import { type Prepared, prepare, prepareRelayed } from './prepare.js';
import { previewFacts } from './preview-facts.js';
import { CONFIRMATION } from './publish.js';
import { KEY_CODES } from './signing.js';
import {
  contentIdentity,
  previewRequest,
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
  describesGet: true,
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
  // The board-wide cap is checked, not spent, for a topic with a poll.
  limits: ['previews_per_network_hour', 'open_polls_max'],
  counter: 'write_preview',
  handle: (ctx) => {
    const findFacts = previewFacts(ctx);
    return async (asked) => {
      const it = submissionOf(asked.body, ctx.board.name, ctx.limits);
      const network = asked.network();
      const now = ctx.clock.now();
      const counters = await ctx.networkKeys.counterKeys(network);
      const reported = asked.reported(counters);
      const facts = await findFacts(counters, reported, it, now);
      requestState(asked.req).spent = facts.spent;
      if (await draftsFull(ctx)) throw noRoomForDrafts();
      const hash = contentIdentity(ctx.keys.server, it);
      const { board } = it;
      const prepared =
        board === null
          ? await prepare(ctx, it, facts, hash, network, now)
          : await prepareRelayed(ctx, { ...it, board }, hash, now);
      if ('status' in prepared) return { json: prepared };
      const issued = await issueTicket(ctx, {
        requestId: it.requestId,
        contentHash: hash,
        draft: prepared.draft,
        network,
        counters,
        now,
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

/** The exact public message; `root_id` is null while a topic has no id. */
function publicMessage(draft: Draft): PublicMessage {
  const { submitted } = draft;
  return {
    author: submitted.name,
    body: submitted.body,
    room: draft.room,
    ...(draft.title === null ? {} : { title: draft.title }),
    reply_to: draft.replyTo,
    root_id: draft.rootId,
    agent_id: submitted.agentId,
    signature_status: submitted.agentId === null ? 'guest' : 'signed',
  };
}

/** The 200 of POST /write/preview (spec/board.md §4.1). */
function previewAnswer(
  baseUrl: string,
  it: Submission,
  { draft, existingVote, routing, warnings, signing }: Prepared,
  { ticket, challenge, expiresAt }: Issued,
): WritePreview {
  const body = Buffer.from(it.body, 'utf8');
  const target = it.replyTo;
  return {
    status: 'preview_only_nothing_published',
    request_id: it.requestId,
    ...(it.board === null ? {} : { board: it.board }),
    public_message: publicMessage(draft),
    ...(it.poll === null ? {} : { public_poll: publicPoll(it.poll) }),
    ...(it.vote === 0 || target === null
      ? {}
      : { public_vote: { message_id: target, vote: it.vote } }),
    ...(existingVote === null || target === null
      ? {}
      : { existing_vote: { message_id: target, vote: existingVote } }),
    body_bytes: body.length,
    body_code_points: countCodePoints(it.body),
    body_sha256: createHash('sha256').update(body).digest('hex'),
    message_hash: draft.messageHash,
    content: { salt: draft.salt },
    challenge: challenge.text,
    challenge_instruction: CHALLENGE_INSTRUCTION,
    ticket,
    publish: {
      method: 'POST',
      url: `${baseUrl}/write/publish`,
      content_type: 'application/json',
      json_template: {
        ticket,
        answer: 'YOUR_ANSWER',
        confirm: 'publish-publicly',
        ...(signing === null ? {} : { signature: 'YOUR_SIGNATURE' }),
      },
    },
    expires_at: publicTime(expiresAt),
    ...(routing === null ? {} : { routing }),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(signing === null ? {} : { signing }),
    community: community(baseUrl),
    content_trust: CONTENT_TRUST,
  };
}
