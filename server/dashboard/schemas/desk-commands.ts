import { z } from 'zod';
import {
  EXPLANATION_MAX,
  MODERATION_ACTIONS,
  MODERATION_REASONS,
} from '../../../protocol/moderation.js';
import { said } from './fields.js';

const NAME_MAX = 60;

/** A wording for decisions; what stands in `{{…}}` is to be filled. */
export const saveTemplateInput = z.strictObject({
  name: said(NAME_MAX),
  action: z.enum(MODERATION_ACTIONS),
  reason: z.enum(MODERATION_REASONS),
  explanation: said(EXPLANATION_MAX),
});

/** A filter of the queue under a name, for the operator alone. */
export const saveViewInput = z.strictObject({
  name: said(NAME_MAX),
  query: z.string().max(2000).describe('As in the address: `kind=card&…`.'),
});

export const named = z.strictObject({ name: said(NAME_MAX) });

export type SaveTemplateInput = z.infer<typeof saveTemplateInput>;
export type SaveViewInput = z.infer<typeof saveViewInput>;
export type Named = z.infer<typeof named>;
