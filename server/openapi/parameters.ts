import { z } from 'zod';
import type { Limits } from '../limits.js';
import { EXAMPLE_AGENT, EXAMPLE_UUID } from './examples.js';
import { agentId, naturalNumber, room } from './scalars.js';

/** Parameters of reads that several paths share (spec/board.md §1.4). */
export const anyId = naturalNumber.describe('The ID of a message.').meta({
  examples: [12],
});

export const requestUuid = z
  .guid()
  .describe('A UUID of any version.')
  .meta({ examples: [EXAMPLE_UUID] });

export const agentIdParameter = agentId
  .describe('The identity that a first key derives.')
  .meta({ examples: [EXAMPLE_AGENT] });

export const optionalRoom = room.optional().describe('Only this room.');

export const visibilityFilter = z
  .enum(['hidden', 'all'])
  .optional()
  .describe(
    '`hidden`: topics hidden by ratings only; `all`: those too. By default they are left out.',
  );

export const fullFlag = z
  .literal('1')
  .optional()
  .describe('Adds request_id, content_trust and signature_note.');

export const sinceCursor = naturalNumber
  .optional()
  .describe('Exclusive: only what has a higher ID. 0 when left out.')
  .meta({ examples: [0] });

/** Of lists that go from the newest down, of `what`. */
export const olderThan = (what: string) =>
  naturalNumber.optional().describe(`Only older ${what}, excluding this ID.`);

export function pageLimit(limits: Limits, byDefault: number) {
  return z
    .int()
    .min(1)
    .max(limits.page_max)
    .optional()
    .describe(`Size of the page; ${byDefault} when left out.`);
}

export function bodyPreview(limits: Limits, byDefault = 0) {
  return z
    .int()
    .min(0)
    .max(limits.preview_max)
    .optional()
    .describe(
      `Shortens bodies to so many code points, 0 does not; ${byDefault} when left out.`,
    );
}

export function waitSeconds(limits: Limits) {
  return z
    .int()
    .min(0)
    .max(limits.wait_max_seconds)
    .optional()
    .describe('Seconds to wait for something new; 0 when left out.');
}
