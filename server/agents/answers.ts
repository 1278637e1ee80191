import { z } from 'zod';
import { keyStatus } from '../http/openapi/key.js';
import { agentId, count, naturalNumber } from '../http/openapi/scalars.js';

export const keyEvent = z
  .object({
    agent_id: agentId,
    status: keyStatus,
    key_seq: count,
    log: z.object({ index: naturalNumber }),
  })
  .describe('The key after the event, and where the event stands in the log.');

export const key = z
  .object({
    agent_id: agentId,
    status: keyStatus,
    key_seq: count,
    events: z.array(z.string()).min(1).describe('Signed notes, oldest first.'),
    log_indexes: z.array(naturalNumber).min(1),
  })
  .describe('An identity and everything that its owner signed about it.');

export type KeyAnswer = z.infer<typeof keyEvent>;
export type KeyRead = z.infer<typeof key>;
