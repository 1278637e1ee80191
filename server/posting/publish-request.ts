import { z } from 'zod';
import { notBlank } from '../http/body/validate.js';

/** Body of POST /write/publish: the preview's filled json_template. */
export const publishRequest = z.strictObject({
  ticket: notBlank(z.string()).describe('Unchanged, from the preview.'),
  answer: notBlank(z.string()).describe('The answer to the challenge.'),
  confirm: z.string().optional().describe('`publish-publicly`.'),
  /** Of signed tickets only, where its form is checked in its turn. */
  signature: z
    .string()
    .optional()
    .describe('Base64 of the signature of the statement, 64 bytes.'),
});

export type PublishRequest = z.infer<typeof publishRequest>;

export const CONFIRMATION = 'publish-publicly';
