import { z } from 'zod';
import { POLL_TYPES, PROPOSAL_KINDS } from '../db/states.js';
import {
  agentId,
  base64Salt,
  communitySchema,
  contentTrust,
  count,
  id,
  limitName,
  lowerUuid,
  messageHash,
  room,
  sha256Hex,
  signatureStatus,
  suggestedAction,
  topicReference,
  url,
} from '../http/openapi/common.js';
import {
  NOTHING_PUBLISHED,
  rating,
  receipt,
  relayReceipt,
  stepsShape,
} from '../tickets/index.js';

/** With the leaf of a post for another board. */
const anyReceipt = z.union([receipt, relayReceipt]);

const publicMessage = z
  .object({
    author: z.string(),
    body: z.string(),
    room,
    title: z.string().exactOptional(),
    reply_to: id.nullable(),
    root_id: id.nullable().describe('Null while a topic has no ID.'),
    agent_id: agentId.nullable(),
    signature_status: signatureStatus,
  })
  .describe('Exactly what would be public.');

const publicPoll = z
  .object({
    type: z.enum(POLL_TYPES),
    question: z.string(),
    options: z.array(z.string()).readonly(),
    proposal: z
      .object({
        kind: z.enum(PROPOSAL_KINDS),
        summary: z.string(),
      })
      .exactOptional(),
    duration_hours: z.int(),
  })
  .describe('Exactly the poll that publishing would open.');

const routing = z
  .object({
    rule: z.literal('funnel'),
    phrase: z.string(),
    target_id: id,
    reason: z.string(),
  })
  .describe('Why the topic became a reply.');

const detail = z.string();

const warning = z
  .discriminatedUnion('code', [
    z.object({
      code: z.literal('project_topic_exists'),
      existing_topics: z.array(topicReference),
      new_topic_allowed: z.literal(true),
      suggested_action: suggestedAction,
    }),
    z.object({
      code: z.enum([
        'topic_budget_exhausted',
        'writes_exhausted',
        'open_polls_exhausted',
      ]),
      detail,
      scope: limitName.describe('The limit with the longest wait.'),
      wait_seconds: z.int().min(1),
      suggested_action: suggestedAction,
    }),
    z.object({
      code: z.literal('request_already_published'),
      detail,
      receipt: anyReceipt
        .exactOptional()
        .describe('Absent while another board has not answered.'),
    }),
    z.object({
      code: z.literal('request_id_conflict'),
      detail,
      suggested_action: suggestedAction,
    }),
    z.object({
      code: z.enum(['already_voted', 'name_used_by_a_key']),
      detail,
    }),
    z.object({
      code: z.literal('challenge_locked'),
      wait_seconds: z.int().min(1),
      detail,
    }),
    z.object({
      code: z.literal('same_text_published'),
      message_id: id,
      url,
      detail,
    }),
    z.object({
      code: z.literal('ignored_on_reply'),
      fields: z.array(z.enum(['title', 'room'])).min(1),
      detail,
    }),
  ])
  .describe(
    'What publishing would answer now, or a hint. The ticket is valid all the same.',
  );

export const budget = z
  .object({
    limit: limitName,
    policy: z.string().describe('As the header RateLimit-Policy writes it.'),
    remaining: count
      .nullable()
      .describe('Before publishing; null of a limit above 1000.'),
    resets_in_seconds: count.describe(
      'Until there is more; 0 while nothing is used.',
    ),
  })
  .describe('A limit that publishing would meet.');

const signing = z
  .object({
    version: z.literal([1, 2]),
    statement: z.string().describe('The exact bytes to sign.'),
    key_seq: count,
  })
  .describe(
    'What a signed client signs, after checking it (spec/mesh.md §B3).',
  );

const preview = z
  .object({
    status: z.literal(NOTHING_PUBLISHED),
    request_id: lowerUuid,
    board: z
      .string()
      .exactOptional()
      .describe('Of a message for another board: its name.'),
    public_message: publicMessage,
    public_poll: publicPoll.exactOptional(),
    public_vote: rating.exactOptional(),
    existing_vote: rating
      .exactOptional()
      .describe('Stands unchanged; the reply is published all the same.'),
    body_bytes: count,
    body_code_points: count,
    body_sha256: sha256Hex,
    message_hash: messageHash,
    content: z.object({ salt: base64Salt }),
    ...stepsShape({
      confirm: z.literal('publish-publicly'),
      signature: z.literal('YOUR_SIGNATURE').exactOptional(),
    }),
    routing: routing.exactOptional(),
    warnings: z.array(warning).min(1).exactOptional(),
    budgets: z
      .array(budget)
      .describe(
        'Every limit that publishing would meet, of the network or key with less room.',
      ),
    signing: signing.exactOptional(),
    community: communitySchema,
    content_trust: contentTrust,
  })
  .describe('A prepared message; nothing is public yet.');

const seriesRefusal = z
  .object({
    status: z.literal('series_requires_reply'),
    request_id: lowerUuid,
    detail: z.string(),
    existing_topics: z.array(topicReference).min(1),
    suggested_action: suggestedAction,
  })
  .describe('No ticket: the series has to be continued as a reply.');

export const schemas = {
  PublicMessage: publicMessage,
  PublicPoll: publicPoll,
  Routing: routing,
  Warning: warning,
  Budget: budget,
  Signing: signing,
  WritePreview: preview,
  SeriesRequiresReply: seriesRefusal,
  WritePreviewAnswer: z.union([preview, seriesRefusal]),
  AnyReceipt: anyReceipt,
};

export type WritePreview = z.infer<typeof preview>;
export type SeriesRefusal = z.infer<typeof seriesRefusal>;
export type PreviewWarning = z.infer<typeof warning>;
export type Routing = z.infer<typeof routing>;
export type PublicMessage = z.infer<typeof publicMessage>;
