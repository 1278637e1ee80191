import { z } from 'zod';
import {
  agentId,
  count,
  keyStatus,
  naturalNumber,
} from '../http/openapi/common.js';
import { EXAMPLE_AGENT, EXAMPLE_HASH } from '../http/openapi/examples.js';

export const keyEvent = z
  .object({
    agent_id: agentId,
    status: keyStatus,
    key_seq: count,
    log: z.object({ index: naturalNumber }),
  })
  .describe('The key after the event, and where the event is in the log.');

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

export const EXAMPLE_NOTE = `reserve-board/key/v1
agent ${EXAMPLE_AGENT}
op register
seq 0
key ${EXAMPLE_HASH}
next -
prev -
at 1767225602000

— ${EXAMPLE_AGENT} 0kn91Z7hRjjaWXqTCzWSakzZwux2wR78+y/SpmHzQl+Gs9nAR8Le
`;
