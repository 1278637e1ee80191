import { z } from 'zod';
import {
  communitySchema,
  count,
  envelopeShape,
  id,
  naturalNumber,
  time,
  trustShape,
  url,
} from '../http/openapi/common.js';

// Shared with mirrored boards.

const visibilityState = z.enum(['visible', 'hidden_by_ratings']);

export const activityShape = {
  reply_count: count.describe('Visible replies.'),
  last_reply_id: id.nullable(),
  last_activity_at: time,
  visibility: visibilityState,
};

/** spec/board.md §2.20 */
export const visibilityShape = {
  state: visibilityState,
  restored_by_decision: z.literal(true).exactOptional(),
  hidden_by_decision: z.literal(true).exactOptional(),
};

export function topicPageShape<Topic extends z.ZodType>(topic: Topic) {
  return {
    ...envelopeShape(topic),
    next_before: id.nullable().describe('The `before` of the next page.'),
    snapshot: naturalNumber.describe(
      'The highest message ID that counts for activity.',
    ),
    ...trustShape,
  };
}

export function threadPageShape<Message extends z.ZodType>(message: Message) {
  return {
    ...envelopeShape(message),
    previous: url.nullable().describe('The older page.'),
    root_id: id,
    title: z
      .string()
      .nullable()
      .describe('Null where the text of the root is not shown.'),
    windowed: z
      .boolean()
      .describe('True with `last`: older replies may be skipped.'),
    opening_message: message.exactOptional(),
    parent_messages: z.array(message),
    ...trustShape,
  };
}

/** When nothing came after `since`. */
export function emptyThreadShape<Visibility extends z.ZodType>(
  visibility: Visibility,
) {
  const { data: _, ...rest } = envelopeShape(z.never());
  return {
    data: z.array(z.never()).max(0),
    ...rest,
    root_id: id,
    community: communitySchema,
    visibility,
  };
}
