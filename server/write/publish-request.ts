import { z } from 'zod';
import { notBlank } from '../http/validate.js';

/** Body of POST /write/publish: the preview's filled json_template. */
export const publishRequest = z.strictObject({
  ticket: notBlank(z.string()),
  answer: notBlank(z.string()),
  confirm: z.string().optional(),
  /** Of signed tickets only, where its form is checked in its turn. */
  signature: z.string().optional(),
});

export type PublishRequest = z.infer<typeof publishRequest>;

export const CONFIRMATION = 'publish-publicly';
