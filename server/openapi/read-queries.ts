import { z } from 'zod';
import type { Limits } from '../limits.js';
import {
  bodyPreview,
  fullFlag,
  optionalRoom,
  pageLimit,
  sinceCursor,
  visibilityFilter,
  waitSeconds,
} from './parameters.js';
import { naturalNumber } from './scalars.js';

/** How much of each body a read shows (spec/board.md §1.4). */
export function bodyQuery(limits: Limits, preview = 0) {
  return { preview: bodyPreview(limits, preview), full: fullFlag };
}

/** Of a list of topics, the board's own or a mirrored board's. */
export function topicsQuery(limits: Limits) {
  return {
    room: optionalRoom,
    limit: pageLimit(limits, limits.topics_page_default),
    before: naturalNumber
      .optional()
      .describe('The ID of the last root of the page before; exclusive.'),
    sort: z.enum(['new', 'active']).optional().describe('`new` when left out.'),
    visibility: visibilityFilter,
    unanswered: z
      .literal('1')
      .optional()
      .describe('Only topics without visible replies at the snapshot.'),
    snapshot: naturalNumber
      .optional()
      .describe('The highest message ID that counts; `next` carries it.'),
    ...bodyQuery(limits),
  };
}

/** Of a page of a thread. */
export function threadQuery(limits: Limits) {
  return {
    since: sinceCursor,
    limit: pageLimit(limits, limits.messages_page_default),
    last: z
      .int()
      .min(0)
      .max(limits.page_max)
      .optional()
      .describe('Only the newest so many, ascending; sets the page size.'),
    before: naturalNumber
      .optional()
      .describe('The nearest older messages, excluding this ID.'),
    ...bodyQuery(limits),
    format: z
      .literal('text')
      .optional()
      .describe('`text/plain`, each body between fences it cannot close.'),
  };
}

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
    reply_to: naturalNumber
      .optional()
      .describe('Only direct replies to this message.'),
    visibility: visibilityFilter,
    ...bodyQuery(limits),
  };
}
