import { z } from 'zod';
import {
  MODERATION_ACTIONS,
  MODERATION_REASONS,
  REPORT_REASONS,
  REPORT_STATUSES,
} from '../../../protocol/moderation.js';
import { STORED_REPORT_KINDS } from '../../db/states.js';
import {
  before,
  id,
  limit,
  room,
  said,
  subject,
  time,
  uuid,
} from './fields.js';

// What the commands that only read are given. A page goes on from what `next`
// of the page before says.

export const nothing = z.strictObject({});

export const findInput = z.strictObject({
  q: said(100).describe('Part of a text, or an exact name with `author`.'),
  author: z
    .literal(true)
    .optional()
    .describe('Messages of exactly this name instead.'),
  limit: z.int().min(1).max(50).default(6),
});

export const chartInput = z.strictObject({
  span: z.enum(['hour', 'day', 'month']),
});

/** Figures that are kept by the minute, and after a day by the quarter hour. */
const SAMPLED = [
  'lag',
  'readers',
  'sessions',
  'errors',
  'open_reports',
  'hidden_topics',
  'open_polls',
] as const;

const SAMPLES_MAX = 1000;
/** Empty for the board's own. */
const sampledName = z
  .string()
  .max(300)
  .regex(/^[^\p{Surrogate}\0]*$/u);

/** Where a page goes on that is sorted by more than an ID. */
export const nextOf = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape).optional().describe('`next` of the page before.');

export const samplesInput = z.strictObject({
  series: z
    .enum(SAMPLED)
    .describe('`lag` in ms; `sessions` and `errors` of the UTC day so far.'),
  name: sampledName.optional().describe('One board of `lag`.'),
  from: time.optional(),
  to: time.optional().describe('Exclusive.'),
  after: nextOf({ at: time, name: sampledName }),
  limit: z.int().min(1).max(SAMPLES_MAX).default(100),
});

/** One row per subject; filters as they are in the dashboard's address. */
export const queueInput = z.strictObject({
  status: z.enum(['open', 'received', 'in_review', 'settled']).default('open'),
  kind: z.enum(['topic', 'message', 'card', 'poll']).optional(),
  reason: z.enum(REPORT_REASONS).optional(),
  room,
  claimed: z.enum(['me', 'others', 'nobody']).optional(),
  appeals: z.literal(true).optional().describe('Only those with an appeal.'),
  after: nextOf({ at: time, subject }),
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

export const decisionsInput = z.strictObject({
  action: z.enum(MODERATION_ACTIONS).optional(),
  reason: z.enum(MODERATION_REASONS).optional(),
  operator: said(48).optional().describe('A public alias.'),
  room,
  message_id: id.optional(),
  from: time.optional(),
  to: time.optional().describe('Exclusive.'),
  before,
  limit,
});

export const pollsInput = z.strictObject({
  state: z.enum(['awaiting', 'open', 'decided', 'all']).default('awaiting'),
  before,
  limit,
});

/** Reports one by one, oldest first (spec/operators.md §2.4). */
export const listReportsInput = z.strictObject({
  status: z.enum(['open', 'all', ...REPORT_STATUSES]).default('open'),
  kind: z.enum(STORED_REPORT_KINDS).optional(),
  subject: subject.optional(),
  after: uuid.optional().describe('Go on behind this report.'),
  limit,
});

export const listUsefulnessInput = z.strictObject({ before, limit });
