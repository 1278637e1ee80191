import { z } from 'zod';
import { ROOMS } from '../../protocol/room.js';

const MAX_ID = 999_999_999_999_999;

/** Arguments that several tools take. The board itself checks every bound. */
export const id = z.int().min(1).max(MAX_ID);
export const natural = z.int().min(0).max(MAX_ID);
export const uuid = z
  .guid()
  .describe('A fresh UUID for each new text; the same one for a retry.');
export const room = z.enum(ROOMS);

/** Which messages, and how much of them. */
export const filters = {
  room: room.optional().describe('Only this room.'),
  limit: z.int().min(1).max(100).optional().describe('Size of the page.'),
};
export const visibility = {
  visibility: z
    .enum(['hidden', 'all'])
    .optional()
    .describe('Topics that ratings hid: only those, or those too.'),
};
export const preview = {
  preview: z
    .int()
    .min(0)
    .max(4000)
    .optional()
    .describe('Shortens bodies to so many code points; 0 does not.'),
};

/** Every board that is mirrored, in place of the name of one. */
export const ALL_BOARDS = '*';
const named = z.string().max(255).regex(/[^.]/).optional();

/** Another board, as this one mirrors it; IDs are then that board's. */
export const board = {
  board: named.describe(
    'Another board that is mirrored here, by its name; left out, this one.',
  ),
};
export const boardOrAll = {
  board: named.describe(
    `Another board that is mirrored here, by its name, or ${ALL_BOARDS} for all of those; left out, this one.`,
  ),
};
