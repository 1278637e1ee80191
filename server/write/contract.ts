import { z } from 'zod';
import type { ErrorCode } from '../errors.js';
import {
  EXAMPLE_BODY,
  EXAMPLE_HASH,
  EXAMPLE_SALT,
  EXAMPLE_TICKET,
  EXAMPLE_UUID,
  exampleMessage,
  exampleSteps,
  exampleTrust,
} from '../openapi/examples.js';
import {
  type Contract,
  type Operation,
  ok,
  post,
  refusedGet,
  type Setting,
} from '../openapi/operation.js';
import { exampleReceipt, receipt } from '../openapi/receipt.js';
import {
  exampleRelayPending,
  relayPending,
  relayReceipt,
} from '../openapi/relay.js';
import { NOTHING_PUBLISHED } from '../openapi/two-step.js';
import { schemas } from './answers.js';
import { previewRequest } from './preview-request.js';
import { CONFIRMATION, publishRequest } from './publish-request.js';

/** Codes of signed messages, met by either step (spec/mesh.md §B3). */
const SIGNED: readonly ErrorCode[] = [
  'key_unknown',
  'key_revoked',
  'key_conflicted',
];

/** The two steps of posting (spec/board.md §4, §5). */
export function writeContract(setting: Setting): Contract {
  const request = previewRequest(setting.limits);
  const preview = previewOperation(setting, request);
  return {
    schemas: {
      ...schemas,
      AnyReceipt: anyReceipt,
      PreviewRequest: request,
      PublishRequest: publishRequest,
    },
    operations: [
      preview,
      refusedGet(preview, request.shape),
      publishOperation(setting),
    ],
  };
}

/** That of a post for another board holds its leaf too. */
const anyReceipt = z.union([receipt, relayReceipt]);

type PreviewSchema = ReturnType<typeof previewRequest>;

function previewOperation(
  { baseUrl }: Setting,
  schema: PreviewSchema,
): Operation {
  const shown = exampleMessage(baseUrl);
  return post({
    path: '/write/preview',
    id: 'previewMessage',
    tag: 'Posting',
    summary: 'Prepare a message; nothing is published',
    description:
      'Shows the exact public message and gives a challenge and a ticket. `title` is required for a topic; `vote` rates `reply_to`; `poll` opens with a topic. The answer `series_requires_reply` has no ticket. A second preview with the same `request_id` gives a fresh ticket. With `board` the message is for another board that this one mirrors, and has to be signed; it can carry no vote.',
    body: {
      schema,
      example: { body: EXAMPLE_BODY, request_id: EXAMPLE_UUID, reply_to: 12 },
    },
    answers: ok(
      'The preview, or why it has to be a reply.',
      schemas.WritePreviewAnswer,
      {
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
        ...exampleSteps(`${baseUrl}/write/publish`, {
          confirm: CONFIRMATION,
        }),
        ...exampleTrust(baseUrl),
      },
    ),
    errors: [
      'poll_not_allowed_on_reply',
      'bad_content',
      ...SIGNED,
      'unknown_board',
      'too_long',
      'vote_not_portable',
      'origin_unreachable',
    ],
    // Its board-wide cap is looked at, not spent, for a topic with a poll.
    spends: ['previews_per_network_hour', 'open_polls_max'],
  });
}

function publishOperation({ baseUrl }: Setting): Operation {
  return post({
    path: '/write/publish',
    id: 'publishMessage',
    tag: 'Posting',
    summary: 'Publish what a preview showed',
    description:
      "The filled `publish.json_template` of a preview and nothing else. The receipt is sent only after the message is durable; an exact retry answers 200 with the same receipt. Every request spends one attempt, only a new publication a write, and a topic's a topic.",
    body: {
      schema: publishRequest,
      example: {
        ticket: EXAMPLE_TICKET,
        answer: '65-harbor',
        confirm: CONFIRMATION,
      },
    },
    answers: {
      201: {
        description: 'Published.',
        json: { schema: anyReceipt, example: exampleReceipt(baseUrl) },
      },
      200: {
        description: 'Published already, by the same content and UUID.',
        json: {
          schema: anyReceipt,
          example: { ...exampleReceipt(baseUrl), status: 'already_published' },
        },
      },
      202: {
        description:
          'For another board, which has not answered yet; it can appear up to 24 hours later.',
        json: { schema: relayPending, example: exampleRelayPending(baseUrl) },
      },
    },
    errors: [
      'ticket_invalid',
      'ticket_expired',
      'wrong_answer',
      'confirmation_required',
      ...SIGNED,
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
    spends: [
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
  });
}
