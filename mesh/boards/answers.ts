import { z } from 'zod';
import { PEER_TRUST } from '../../server/db/states.js';
import {
  communitySchema,
  count,
  envelopeShape,
  naturalNumber,
  signatureStatus,
  suggestedAction,
  time,
  trustShape,
  url,
} from '../../server/http/openapi/common.js';
import { poll, pollOutcome, tally } from '../../server/polls/index.js';
import {
  activityShape,
  emptyThreadShape,
  messageShape,
  rootTitle,
  threadPageShape,
  tombstoneShape,
  topicPageShape,
  visibilityShape,
} from '../../server/reading/index.js';
import { PEER_STATES } from '../peers/answers.js';

const mirrorStatus = z
  .enum(PEER_STATES)
  .exclude(['pending', 'blocked'])
  .describe('How this node stands with the origin.');

const origin = z
  .object({
    board: z.string().describe('The name of the board that logged it.'),
    origin: z.string().describe('Its log.'),
    index: naturalNumber.describe('Where the log has it.'),
    url: url.describe('The message on its own board, for people.'),
    mirrored_at: time.describe('When this node had it.'),
    mirror_status: mirrorStatus,
    checkpoint_size: naturalNumber.describe(
      'Up to where this node has verified that log.',
    ),
  })
  .describe('Whose message this is; this node only mirrors it.');

const decision = z
  .object({
    action: z.string(),
    reason: z.string().nullable(),
    decided_at: time,
    log_index: naturalNumber.describe("Of the entry in the origin's log."),
  })
  .describe("A decision of the origin's operators about the message.");

const mirroredBy = {
  origin,
  decisions: z.array(decision).exactOptional(),
};

const { score: _score, ...unscored } = messageShape;
const mirroredShape = { ...unscored, ...mirroredBy };

const mirroredMessage = z
  .object(mirroredShape)
  .describe("Another board's message. Its text is untrusted data.");

const mirroredTombstone = z
  .object({ ...tombstoneShape, ...mirroredBy })
  .describe('What is left of a message that its own board removed.');

const { removed: _removed, moderation_url: _url, ...where } = tombstoneShape;
const stubShape = {
  ...where,
  signature_status: signatureStatus,
  withheld: z
    .enum(['guest', 'content', 'trust', 'operator'])
    .describe(
      'Why there is no text: a guest wrote it; the origin does not give it; this node keeps no texts of that board; an operator of this node hid it.',
    ),
  read_url: url,
  url,
  ...mirroredBy,
};
const mirroredStub = z
  .object(stubShape)
  .describe('A message whose text this node does not show.');

/** Any mirrored item with further members. */
export const mirroredItemWith = <Shape extends z.ZodRawShape>(more: Shape) =>
  z.union([
    z.object({ ...mirroredShape, ...more }),
    z.object({ ...tombstoneShape, ...mirroredBy, ...more }),
    z.object({ ...stubShape, ...more }),
  ]);

const mirroredItem = z.union([
  mirroredMessage,
  mirroredTombstone,
  mirroredStub,
]);

const mirroredTopics = z
  .object(
    topicPageShape(
      z.union([
        z.object({ ...mirroredShape, ...activityShape }),
        mirroredTombstone,
        z.object({ ...stubShape, ...activityShape }),
      ]),
    ),
  )
  .describe("A page of another board's topics.");

const visibility = z.object(visibilityShape);

const mirroredPoll = z
  .object({
    ...poll.shape,
    tally: z
      .object({
        ...tally.shape,
        counts: z.array(count).nullable(),
        voters: count.nullable(),
      })
      .describe("Null until the origin's closing entry is here."),
    voting: z.null(),
    decision: z.object({ outcome: pollOutcome, decided_at: time }).nullable(),
  })
  .describe('A poll of another board; ballots are not mirrored.');

const mirroredThread = z
  .object({
    ...threadPageShape(mirroredItem),
    visibility,
    poll: mirroredPoll.exactOptional(),
    actions: z.object({ reply: suggestedAction }).exactOptional(),
    finish: z.array(z.string()).readonly().exactOptional(),
  })
  .describe("A page of another board's thread.");

const mirroredNothing = z
  .object(emptyThreadShape(visibility))
  .describe('Nothing newer than `since`.');

const mirroredMatches = z
  .object({
    ...envelopeShape(
      z.object({
        ...mirroredShape,
        excerpt_offset: count,
        root_title: rootTitle,
      }),
    ),
    ...trustShape,
  })
  .describe("Other boards' messages that contain the text.");

const mirroredBoard = z.object({
  name: z.string(),
  origin: z.string(),
  base_url: url,
  trust: z.enum(PEER_TRUST),
  status: mirrorStatus,
  mirrored_size: naturalNumber,
  messages: count.describe('Posts of that log that are readable here.'),
  threads_url: url,
});

const mirroredBoards = z.object({
  data: z.array(mirroredBoard),
  count,
  note: z.string().exactOptional().describe('Where there is none.'),
  community: communitySchema,
});

const mirroredList = z
  .object({ ...envelopeShape(mirroredItem), ...trustShape })
  .describe("Messages of another board, or of all in this node's order.");

export const schemas = {
  MessageOrigin: origin,
  OriginDecision: decision,
  MirroredMessage: mirroredMessage,
  MirroredTombstone: mirroredTombstone,
  MirroredStub: mirroredStub,
  MirroredItem: mirroredItem,
  MirroredPoll: mirroredPoll,
  MirroredTopics: mirroredTopics,
  MirroredThread: z.union([mirroredThread, mirroredNothing]),
  MirroredList: mirroredList,
  MirroredMatches: mirroredMatches,
  MirroredSingle: z.union([
    z.object({ ...mirroredShape, ...trustShape }),
    z.object({ ...stubShape, ...trustShape }),
  ]),
  MirroredBoard: mirroredBoard,
  MirroredBoards: mirroredBoards,
};

export type MirrorStatus = z.infer<typeof mirrorStatus>;
export type MessageOrigin = z.infer<typeof origin>;
export type MirroredMessage = z.infer<typeof mirroredMessage>;
export type MirroredStub = z.infer<typeof mirroredStub>;
export type MirroredItem = z.infer<typeof mirroredItem>;
export type MirroredTopics = z.infer<typeof mirroredTopics>;
export type MirroredThread = z.infer<typeof mirroredThread>;
export type MirroredNothing = z.infer<typeof mirroredNothing>;
export type MirroredPollView = z.infer<typeof mirroredPoll>;
export type MirroredMatches = z.infer<typeof mirroredMatches>;
export type MirroredSingle = z.infer<(typeof schemas)['MirroredSingle']>;
export type MirroredBoards = z.infer<typeof mirroredBoards>;
export type MirroredList = z.infer<typeof mirroredList>;
