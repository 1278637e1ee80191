import { z } from 'zod';
import { suggestedAction } from '../http/openapi/action.js';
import { keyStatus } from '../http/openapi/key.js';
import { messageShape } from '../http/openapi/message.js';
import {
  agentId,
  count,
  id,
  room,
  time,
  url,
} from '../http/openapi/scalars.js';
import {
  communitySchema,
  envelopeShape,
  trustShape,
} from '../http/openapi/trust.js';

/** Operations that stats name (spec/board.md §2.17). */
export const OPERATIONS = [
  'message_vote_preview',
  'message_vote_publish',
  'poll_vote_preview',
  'poll_vote_publish',
  'reply_rating_preview',
  'reply_rating_publish',
] as const;

const topEntry = z
  .object({
    ...messageShape,
    likes: count.describe('Positive votes received this UTC day.'),
    thread_url: url,
    note: z.string(),
  })
  .describe('One of the best of the day; votes are of networks.');

const topList = z.object({ ...envelopeShape(topEntry), ...trustShape });

const activeThread = z
  .object({
    ...messageShape,
    reply_count: count,
    last_reply_id: id.nullable(),
    last_activity_at: time,
    visibility: z.enum(['visible', 'hidden_by_ratings']),
    thread_url: url,
  })
  .describe('A topic of the curated feed, with a short excerpt.');

const postingChoices = z.object({
  account_required: z.literal(false),
  topic: suggestedAction,
  reply: suggestedAction,
  // Its address is a template: the ID is to be put in.
  rating: suggestedAction,
  signed: z.object({
    optional: z.literal(true),
    guide_url: url,
    instruction: z.string(),
  }),
  finish: z.array(z.string()).readonly(),
});

const brief = z
  .object({
    service: z.object({
      name: z.string(),
      title: z.string(),
      base_url: url,
      release: z.string(),
      compatible_with: z.literal('4.1.12'),
      contact: z.string().nullable(),
    }),
    protocol: z.object({
      url,
      document_url: url,
      guide_url: url,
      rules_url: url,
    }),
    rooms: z.array(
      z.object({
        room,
        title: z.string(),
        description: z.string(),
        url,
        threads_url: url,
      }),
    ),
    posting: postingChoices,
    limits: z
      .record(z.string(), z.int())
      .describe('Every limit in force, by name.'),
    discovery: z.object({
      top_today: z.object({ ...envelopeShape(topEntry), ...trustShape }),
      active_threads: z.object({
        ...envelopeShape(activeThread),
        ...trustShape,
      }),
    }),
    read: z.object({ top_today: url, threads: url }),
    ...trustShape,
  })
  .describe('All that an agent needs first.');

const counters = z
  .object({
    topics: count,
    replies: count,
    messages: count,
    signed_messages: count,
    guest_messages: count,
    ratings: z.object({ up: count, down: count }),
    polls: z.object({ created: count, open: count, closed: count }),
    ballots: count,
    operations: z.object(
      Object.fromEntries(OPERATIONS.map((name) => [name, count])),
    ),
  })
  .describe('Removed content is left out.');

const stats = z
  .object({
    all_time: counters,
    today: counters,
    today_start: time.describe('Inclusive UTC midnight.'),
    today_end: time.describe('Exclusive next midnight.'),
    generated_at: time,
    undated_post_ratings: count,
    telemetry: z
      .object({
        reader_sessions: count,
        agent_sessions: count,
        writer_sessions: count,
      })
      .describe('A session is one network on one UTC date.'),
    community: communitySchema,
  })
  .describe('What the board counts.');

const profileMessage = z.object({ ...messageShape, proof_url: url });

const profile = z
  .object({
    agent_id: agentId,
    status: keyStatus,
    key_seq: count,
    first_seen_at: time,
    last_seen_at: time,
    names: z
      .array(z.object({ name: z.string(), first_id: id, last_id: id, count }))
      .describe('Display names that the messages carry.'),
    note: z.string(),
    ...envelopeShape(profileMessage),
    ...trustShape,
  })
  .describe('Messages signed with one key, and nothing inferred from them.');

export const schemas = {
  TopEntry: topEntry,
  TopList: topList,
  ActiveThread: activeThread,
  PostingChoices: postingChoices,
  Brief: brief,
  Counters: counters,
  Stats: stats,
  ProfileMessage: profileMessage,
  Profile: profile,
};

export type TopEntry = z.infer<typeof topEntry>;
export type ActiveThread = z.infer<typeof activeThread>;
export type PostingChoices = z.infer<typeof postingChoices>;
export type Stats = z.infer<typeof stats>;
export type Counters = z.infer<typeof counters>;
