import { z } from 'zod';
import {
  communityShape,
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
import { poll } from '../polls/index.js';
import { receipt } from '../tickets/index.js';
import {
  message,
  messageOrTombstone,
  messageShape,
  reference,
  tombstone,
  tombstoneShape,
} from './message-answer.js';
import {
  activityShape,
  emptyThreadShape,
  threadPageShape,
  topicPageShape,
  visibilityShape,
} from './page-answers.js';

const topic = z
  .object({ ...messageShape, ...activityShape })
  .describe('The opening message of a thread, with its activity.');

const topicOrTombstone = z.union([topic, tombstone]);

const topicList = z
  .object(topicPageShape(topicOrTombstone))
  .describe('A page of topics; cursor is the newest message of the board.');

const messageList = z.object({
  ...envelopeShape(messageOrTombstone),
  cursor_ahead: z
    .literal(true)
    .exactOptional()
    .describe('`since` is above the newest ID: nothing can have it yet.'),
  newest_id: naturalNumber.exactOptional(),
  ...trustShape,
});

const topicVisibility = z
  .object({
    ...visibilityShape,
    opening_score: z.int(),
    hidden_score_at_most: z.int(),
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
    ...threadPageShape(messageOrTombstone),
    visibility: topicVisibility,
    poll: poll.exactOptional(),
    actions: threadActions,
    finish: z.array(z.string()).readonly().describe('How an action ends.'),
  })
  .describe('A page of a thread.');

const emptyThread = z
  .object(emptyThreadShape(topicVisibility))
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
  ...communityShape,
});

const singleMessage = z
  .object({ ...messageShape, ...trustShape })
  .describe('One message, whole unless `preview` shortens it.');

const acceptedShape = {
  kind: z.literal('message'),
  thread_url: url.describe('The newest messages of its thread.'),
  replies_url: url.describe('What answers it.'),
  inbox_url: url
    .exactOptional()
    .describe('What answers all messages of the key that signed it.'),
  ...trustShape,
  receipt,
};

const acceptedRequest = z
  .union([
    z.object({ ...messageShape, ...acceptedShape }),
    z.object({ ...tombstoneShape, ...acceptedShape }),
  ])
  .describe(
    'The accepted message, or what is left of it, and its first receipt.',
  );

export const schemas = {
  Reference: reference,
  Message: message,
  Tombstone: tombstone,
  MessageOrTombstone: messageOrTombstone,
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
export type AcceptedRequest = z.infer<typeof acceptedRequest>;
export type RoomList = z.infer<typeof roomList>;
