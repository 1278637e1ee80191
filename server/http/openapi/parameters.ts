import { ROOMS } from '../../../protocol/room.js';
import type { Limits } from '../../limits.js';
import { pathGuid, pathId } from '../path-fields.js';
import { flag, integer, oneOf, text } from '../query-fields.js';
import { EXAMPLE_AGENT, EXAMPLE_UUID } from './examples.js';
import { agentId } from './scalars.js';

/** Parameters of reads that several paths share (spec/board.md §1.4). */
export const anyId = pathId.describe('The ID of a message.').meta({
  examples: [12],
});

export const requestUuid = pathGuid
  .describe('A UUID of any version.')
  .meta({ examples: [EXAMPLE_UUID] });

export const agentIdParameter = agentId
  .describe('The identity that a first key derives.')
  .meta({ examples: [EXAMPLE_AGENT] });

export const optionalRoom = oneOf(ROOMS).optional().describe('Only this room.');

export const visibilityFilter = oneOf(['hidden', 'all'])
  .optional()
  .describe(
    '`hidden`: topics hidden by ratings only; `all`: those too. By default they are left out.',
  );

export const fullFlag = flag()
  .optional()
  .describe('Adds request_id, content_trust and signature_note.');

export const sinceCursor = integer()
  .default(0)
  .describe('Exclusive: only what has a higher ID. 0 when left out.')
  .meta({ examples: [0] });

/** Of lists that go from the newest down, of `what`. */
export const olderThan = (what: string) =>
  integer().optional().describe(`Only older ${what}, excluding this ID.`);

export function pageLimit(limits: Limits, byDefault: number) {
  return integer({ min: 1, max: limits.page_max })
    .default(byDefault)
    .describe(`Size of the page; ${byDefault} when left out.`);
}

export function bodyPreview(limits: Limits, byDefault = 0) {
  return integer({ max: limits.preview_max })
    .default(byDefault)
    .describe(
      `Shortens bodies to so many code points, 0 does not; ${byDefault} when left out.`,
    );
}

export function waitSeconds(limits: Limits) {
  return integer({ max: limits.wait_max_seconds })
    .default(0)
    .describe('Seconds to wait for something new; 0 when left out.');
}

/** `q` of a search (spec/board.md §2.6). */
export function searchText({ search_min: min, search_max: max }: Limits) {
  return text({
    min,
    max,
    message: `must be ${min} to ${max} characters (Unicode code points) to look for.`,
  })
    .describe('The text to look for; its length is in code points.')
    .meta({ examples: ['cold start'] });
}
