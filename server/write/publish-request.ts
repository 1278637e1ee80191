import { z } from 'zod';

/** Body of POST /write/publish: the preview's filled json_template. */
export const publishRequest = z.strictObject({
  ticket: z.string(),
  answer: z.string(),
  confirm: z.string().optional(),
});

export const CONFIRMATION = 'publish-publicly';
