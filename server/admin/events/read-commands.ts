import { z } from 'zod';
import {
  MODERATION_ACTIONS,
  MODERATION_REASONS,
} from '../../../protocol/moderation.js';
import { before, id, limit, room, said, subject, time } from './fields.js';

/** Commands that only read. Each page is asked on with what `next` says. */
export const nothing = z.strictObject({});

export const chartInput = z.strictObject({
  span: z.enum(['hour', 'day', 'month']),
});

/** One row per subject; filters as the dashboard's address holds them. */
export const queueInput = z.strictObject({
  status: z.enum(['open', 'received', 'in_review', 'settled']).default('open'),
  kind: z.enum(['topic', 'message', 'card', 'poll']).optional(),
  reason: z.enum(MODERATION_REASONS).optional(),
  room,
  claimed: z.enum(['me', 'others', 'nobody']).optional(),
  appeals: z.literal(true).optional().describe('Only those with an appeal.'),
  after: z
    .strictObject({ at: time, subject })
    .optional()
    .describe('`next` of the page before.'),
  limit,
});

export const itemInput = z.strictObject({
  subject,
  sealed: z
    .boolean()
    .default(false)
    .describe('Also the text of a removed message, for moderators.'),
});

export const hiddenInput = z.strictObject({ room, before, limit });

const decisionFilters = {
  action: z.enum(MODERATION_ACTIONS).optional(),
  reason: z.enum(MODERATION_REASONS).optional(),
  operator: said(48).optional().describe('A public alias.'),
  room,
  message_id: id.optional(),
  from: time.optional(),
  to: time.optional().describe('Exclusive.'),
};

export const decisionsInput = z.strictObject({
  ...decisionFilters,
  before,
  limit,
});

export const pollsInput = z.strictObject({
  state: z.enum(['awaiting', 'open', 'decided', 'all']).default('awaiting'),
  before,
  limit,
});

export type ChartInput = z.infer<typeof chartInput>;
export type QueueInput = z.infer<typeof queueInput>;
export type ItemInput = z.infer<typeof itemInput>;
export type HiddenInput = z.infer<typeof hiddenInput>;
export type DecisionsInput = z.infer<typeof decisionsInput>;
export type PollsInput = z.infer<typeof pollsInput>;
