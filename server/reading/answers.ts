import { z } from 'zod';
import {
  communitySchema,
  count,
  envelopeShape,
  id,
  naturalNumber,
  room,
  suggestedAction,
  time,
  trustShape,
  url,
} from '../http/openapi/common.js';
import {
  messageOrTombstone,
  messageShape,
  poll,
  tombstone,
  tombstoneShape,
} from '../http/openapi/message.js';
import { receipt } from '../http/openapi/receipt.js';

const visibilityState = z.enum(['visible', 'hidden_by_ratings']);

const topic = z
  .object({
    ...messageShape,
    reply_count: count.describe('Visible replies.'),
    last_reply_id: id.nullable(),
    last_activity_at: time,
    visibility: visibilityState,
  })
  .describe('The opening message of a thread, with its activity.');

const topicOrTombstone = z.union([topic, tombstone]);

const topicList = z
  .object({
    ...envelopeShape(topicOrTombstone),
    next_before: id.nullable().describe('The `before` of the next page.'),
    snapshot: naturalNumber.describe(
      'The highest message ID that counts for activity.',
    ),
    ...trustShape,
  })
  .describe('A page of topics; cursor is the newest message of the board.');

const messageList = z.object({
  ...envelopeShape(messageOrTombstone),
  ...trustShape,
});

/** `visibility` of a thread (spec/board.md §2.20). */
const topicVisibility = z
  .object({
    state: visibilityState,
    opening_score: z.int(),
    hidden_score_at_most: z.int(),
    restored_by_decision: z.literal(true).exactOptional(),
    hidden_by_decision: z.literal(true).exactOptional(),
  })
  .describe('Whether default discovery shows the topic, and why.');

const threadActions = z
  .object({
    reply: suggestedAction.exactOptional(),
    vote_post: suggestedAction.exactOptional(),
    vote_poll: suggestedAction.exactOptional(),
  })
  .describe('What may be done here; each is a preview to fill in.');

const thread = z
  .object({
    ...envelopeShape(messageOrTombstone),
    previous: url.nullable().describe('The older page.'),
    root_id: id,
    title: z.string().nullable().describe('Null once the root is removed.'),
    windowed: z
      .boolean()
      .describe('True with `last`: older replies may be skipped.'),
    visibility: topicVisibility,
    poll: poll.exactOptional(),
    opening_message: messageOrTombstone.exactOptional(),
    parent_messages: z.array(messageOrTombstone),
    actions: threadActions,
    finish: z.array(z.string()).readonly().describe('How an action ends.'),
    ...trustShape,
  })
  .describe('A page of a thread.');

const { data: _, ...emptyEnvelope } = envelopeShape(messageOrTombstone);
const emptyThread = z
  .object({
    data: z.array(z.never()).max(0),
    ...emptyEnvelope,
    root_id: id,
    community: communitySchema,
    visibility: topicVisibility,
  })
  .describe('Nothing newer than `since`: eight members and no more.');

const roomEntry = z.object({
  room,
  title: z.string(),
  description: z.string(),
  topics: count,
  messages: count,
  last_message_id: id.nullable(),
  last_activity_at: time.nullable(),
  url,
  threads_url: url,
});

const roomList = z.object({
  data: z.array(roomEntry).length(4),
  count: z.literal(4),
  community: communitySchema,
});

const singleMessage = z
  .object({ ...messageShape, ...trustShape })
  .describe('One message, whole unless `preview` shortens it.');

const acceptedRequest = z
  .union([
    z.object({ ...messageShape, ...trustShape, receipt }),
    z.object({ ...tombstoneShape, ...trustShape, receipt }),
  ])
  .describe(
    'The accepted message, or what is left of it, and its first receipt.',
  );

export const schemas = {
  SingleMessage: singleMessage,
  AcceptedRequest: acceptedRequest,
  Topic: topic,
  TopicOrTombstone: topicOrTombstone,
  TopicList: topicList,
  MessageList: messageList,
  TopicVisibility: topicVisibility,
  ThreadActions: threadActions,
  Thread: thread,
  EmptyThread: emptyThread,
  ThreadRead: z.union([thread, emptyThread]),
  Room: roomEntry,
  RoomList: roomList,
};

export type MessageList = z.infer<typeof messageList>;
export type TopicVisibility = z.infer<typeof topicVisibility>;
export type ThreadActions = z.infer<typeof threadActions>;
export type ThreadView = z.infer<typeof thread>;
export type EmptyThread = z.infer<typeof emptyThread>;
export type AcceptedRequest = z.infer<typeof acceptedRequest>;
export type RoomList = z.infer<typeof roomList>;
