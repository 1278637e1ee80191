import type { z } from 'zod';
import { suggestedAction, topicReference } from './action.js';
import { logContent } from './log-content.js';
import {
  message,
  messageOrTombstone,
  reference,
  tombstone,
} from './message.js';
import { poll, pollDecision, tally } from './poll.js';
import { receipt } from './receipt.js';
import { communitySchema } from './trust.js';
import { castRating, rating } from './two-step.js';

/** Schemas that more than one slice speaks of, by their public names. */
export const SHARED: Readonly<Record<string, z.ZodType>> = {
  Community: communitySchema,
  SuggestedAction: suggestedAction,
  TopicReference: topicReference,
  Reference: reference,
  Message: message,
  Tombstone: tombstone,
  MessageOrTombstone: messageOrTombstone,
  LogContent: logContent,
  Poll: poll,
  Tally: tally,
  PollDecision: pollDecision,
  Receipt: receipt,
  Rating: rating,
  CastRating: castRating,
};
