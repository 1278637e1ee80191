import { z } from 'zod';
import { id, lowerUuid, time, url } from '../../http/openapi/scalars.js';

export const report = z
  .object({
    request_id: lowerUuid,
    status: z.enum(['received', 'in_review', 'resolved', 'dismissed']),
    kind: z.enum(['report', 'appeal', 'selection_error']),
    message_id: id.exactOptional(),
    card_id: z.string().exactOptional().describe('Of a selection_error.'),
    created_at: time,
    status_url: url,
    decision_url: url.exactOptional(),
  })
  .describe('The receipt of a report; its text is never shown again.');

export type Report = z.infer<typeof report>;
