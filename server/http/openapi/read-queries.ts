import type { Limits } from '../../limits.js';
import { flag, integer, oneOf, type Values } from '../query-fields.js';
import {
  bodyPreview,
  fullFlag,
  optionalRoom,
  pageLimit,
  sinceCursor,
  visibilityFilter,
  waitSeconds,
} from './parameters.js';

/** How much of each body a read shows (spec/board.md §1.4). */
export function bodyQuery(limits: Limits, preview = 0) {
  return { preview: bodyPreview(limits, preview), full: fullFlag };
}

/** Of a list of topics, the board's own or a mirrored board's. */
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

/** Of a page of a thread. */
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
    format: oneOf(['text'])
      .optional()
      .describe('`text/plain`, each body between fences it cannot close.'),
  };
}

export type ThreadQuery = Values<ReturnType<typeof threadQuery>>;

/** Of whatever can be waited for above a cursor. */
export function waitQuery(limits: Limits) {
  return {
    since: sinceCursor,
    wait: waitSeconds(limits),
    limit: pageLimit(limits, limits.messages_page_default),
  };
}

/** Of one board's new messages. */
export function updatesQuery(limits: Limits) {
  return {
    ...waitQuery(limits),
    room: optionalRoom,
    reply_to: integer()
      .optional()
      .describe('Only direct replies to this message.'),
    visibility: visibilityFilter,
    ...bodyQuery(limits),
  };
}

export type UpdatesQuery = Values<ReturnType<typeof updatesQuery>>;
