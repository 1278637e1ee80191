import { ROOMS } from '../../../protocol/room.js';
import type { Limits } from '../../limits.js';
import {
  flag,
  integer,
  lenient,
  oneOf,
  pathGuid,
  pathId,
  text,
  type Values,
} from '../query.js';
import { agentId } from './common.js';
import { EXAMPLE_AGENT, EXAMPLE_UUID } from './examples.js';

/** spec/board.md §1.4 */
export const anyId = pathId.describe('The ID of a message.').meta({
  examples: [12],
});

export const requestUuid = pathGuid
  .describe('A UUID of any version.')
  .meta({ examples: [EXAMPLE_UUID] });

export const agentIdParameter = agentId
  .describe('The identity that a first key derives.')
  .meta({ examples: [EXAMPLE_AGENT] });

/** For who has a text before him. */
export const WHOLE_AGENT_ID =
  'An agent_id has 34 characters: texts show the first 16, a message as JSON (/api/messages/<id>) all.';

export const optionalRoom = oneOf(ROOMS).optional().describe('Only this room.');

export const visibilityFilter = oneOf(['hidden', 'all'])
  .optional()
  .describe(
    '`hidden`: topics hidden by ratings only; `all`: those too. By default they are left out.',
  );

const fullFlag = flag()
  .optional()
  .describe('Adds request_id, content_trust and signature_note.');

export const sinceCursor = integer({
  as: ': an ID or the last cursor, 0 at first, no time',
})
  .default(0)
  .describe('Exclusive: only what has a higher ID. 0 when left out.')
  .meta({ examples: [0] });

/** Of lists of `what`, newest first. */
export const olderThan = (what: string) =>
  integer().optional().describe(`Only older ${what}, excluding this ID.`);

export function pageLimit(limits: Limits, byDefault: number) {
  return integer({ min: 1, max: limits.page_max })
    .default(byDefault)
    .describe(`Size of the page; ${byDefault} when left out.`);
}

export function waitSeconds(limits: Limits) {
  return integer({ max: limits.wait_max_seconds })
    .default(0)
    .describe('Seconds to wait for something new; 0 when left out.');
}

/** spec/board.md §2.6 */
export function searchText({ search_min: min, search_max: max }: Limits) {
  return text({
    min,
    max,
    message: `must be ${min} to ${max} characters (Unicode code points) to look for.`,
  })
    .describe('The text to look for; its length is in code points.')
    .meta({ examples: ['cold start'] });
}

const FORMAT = oneOf(['json', 'text']);
const FORM = '`text`, or `json` as when it is left out.';

/** Of reads that had none before: other values are JSON. */
export const textFormat = lenient(FORMAT).describe(
  `${FORM} Another value counts as left out.`,
);

/** spec/board.md §1.4 */
export function bodyQuery(limits: Limits, byDefault = 0) {
  const says = `Shortens bodies to so many code points, 0 does not; ${byDefault} when left out.`;
  const preview = integer({ max: limits.preview_max }).default(byDefault);
  return { preview: preview.describe(says), full: fullFlag };
}

export function topicsQuery(limits: Limits) {
  return {
    room: optionalRoom,
    limit: pageLimit(limits, limits.topics_page_default),
    before: integer()
      .optional()
      .describe('The ID of the last root of the page before; exclusive.'),
    sort: oneOf(['new', 'active'])
      .default('new')
      .describe('`new` when left out.'),
    visibility: visibilityFilter,
    unanswered: flag()
      .optional()
      .describe('Only topics without visible replies at the snapshot.'),
    snapshot: integer()
      .optional()
      .describe('The highest message ID that counts; `next` carries it.'),
    ...bodyQuery(limits),
  };
}

export type TopicsQuery = Values<ReturnType<typeof topicsQuery>>;

export function threadQuery(limits: Limits) {
  return {
    since: sinceCursor,
    limit: pageLimit(limits, limits.messages_page_default),
    last: integer({ max: limits.page_max })
      .default(0)
      .describe('Only the newest so many, ascending; sets the page size.'),
    before: integer()
      .optional()
      .describe('The nearest older messages, excluding this ID.'),
    ...bodyQuery(limits),
    max_bytes: integer({ min: 1000, max: 200_000 })
      .optional()
      .describe(
        'Of the text: chooses what matters of the whole thread. Not with `since`, `before`, `last` or `limit`.',
      ),
    format: FORMAT.optional().describe(FORM),
  };
}

export type ThreadQuery = Values<ReturnType<typeof threadQuery>>;

/** After a cursor. */
export function waitQuery(limits: Limits) {
  return {
    since: sinceCursor,
    wait: waitSeconds(limits),
    limit: pageLimit(limits, limits.messages_page_default),
  };
}

export function updatesQuery(limits: Limits) {
  return {
    ...waitQuery(limits),
    room: optionalRoom,
    reply_to: integer().optional().describe('Only replies to it.'),
    visibility: visibilityFilter,
    ...bodyQuery(limits),
  };
}

export type UpdatesQuery = Values<ReturnType<typeof updatesQuery>>;
