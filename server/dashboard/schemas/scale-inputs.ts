import { z } from 'zod';
import { EXPLANATION_MAX } from '../../../protocol/moderation.js';
import { BULK_ITEM_STATES } from '../../db/states.js';
import { before, id, limit, said, subject, time, uuid } from './fields.js';
import { nextOf } from './read-inputs.js';
import { fits, ruling } from './write-inputs.js';

// What the commands of operators at scale are given (spec/operators.md §5).

/** By what texts are alike. */
export const ALIKE = ['text', 'name', 'key', 'link'] as const;

export const selectInput = z.strictObject({
  subject,
  by: z.enum(ALIKE).describe('What is the same.'),
  among: z
    .enum(['queue', 'board'])
    .default('queue')
    .describe('What waits, or every message that is still served.'),
  host: said(253).optional().describe('One host of its links; else any.'),
});

const bulk = uuid.describe('You choose it: a second submit is the same bulk.');

/** With the fields of a decision these stay well under 64 KiB. */
const items = z
  .array(
    z.strictObject({
      subject,
      seen: id.nullable().describe('The newest decision you saw.'),
    }),
  )
  .max(500);

/** One decision for many subjects, which `bulk.run` then records. */
export const beginBulkInput = ruling
  .extend({
    bulk,
    settle_reports: z
      .boolean()
      .default(true)
      .describe('Settles reports that were open when the bulk began.'),
    items: items.optional().describe('The first subjects.'),
  })
  .superRefine(fits);

export const addToBulkInput = z.strictObject({ bulk, items: items.min(1) });

export const runBulkInput = z.strictObject({
  bulk,
  most: z.int().min(1).max(100).default(50).describe('Subjects to decide.'),
});

export const bulkInput = z.strictObject({ bulk });

/** The reverse of each decision that a bulk recorded. */
export const undoBulkInput = ruling
  .omit({ action: true, outcome: true })
  .extend({ bulk, undoes: uuid.describe('The bulk to undo.') });

export const readBulkInput = z.strictObject({
  bulk,
  state: z.enum(BULK_ITEM_STATES).optional(),
  after: id.optional().describe('`next` of the page before.'),
  limit: z.int().min(1).max(1000).default(100),
});

export const listBulksInput = z.strictObject({
  mine: z.literal(true).optional(),
  open: z.literal(true).optional().describe('Only those where some wait.'),
  after: nextOf({ at: time, bulk: uuid }),
  limit,
});

export const historyInput = z.strictObject({
  subject,
  by: z.enum(ALIKE).optional().describe('One of them; else all four.'),
  before,
  limit: z.int().min(1).max(50).default(10),
});

export const addNoteInput = z.strictObject({
  subject,
  note: said(EXPLANATION_MAX).describe('For operators only.'),
});

export const removeNoteInput = z.strictObject({
  id: uuid.describe('The note.'),
});

export const responseInput = z.strictObject({
  from: time.optional().describe('Default: 30 days before `to`.'),
  to: time.optional().describe('Exclusive; by default now.'),
});
