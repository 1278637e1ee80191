import { z } from 'zod';
import { EXPLANATION_MAX } from '../../../protocol/moderation.js';
import { before, id, limit } from './fields.js';

const day = z.iso.date().describe('A UTC day, YYYY-MM-DD.');
const note = z.string().max(EXPLANATION_MAX).describe('Public.');

/** Computes the figures of a period and keeps them as a draft. */
export const draftUsefulnessInput = z.strictObject({
  id: id.optional().describe('A draft to compute anew.'),
  from: day,
  to: day.describe('The day after the last.'),
  note: note.default(''),
});

/** Shows exactly what would be published, or publishes it for ever. */
export const publishUsefulnessInput = z.strictObject({
  id,
  note: note.optional().describe("Instead of the draft's."),
});

export const listUsefulnessInput = z.strictObject({ before, limit });

export type DraftUsefulnessInput = z.infer<typeof draftUsefulnessInput>;
export type PublishUsefulnessInput = z.infer<typeof publishUsefulnessInput>;
export type ListUsefulnessInput = z.infer<typeof listUsefulnessInput>;
