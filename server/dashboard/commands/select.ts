import { z } from 'zod';
import { command } from '../command.js';
import { said, subject } from '../fields.js';
import { ALIKE, compared, likenessBy } from './alike.js';
import { alikeInQueue, alikeOnBoard, SELECTED_MAX } from './select.sql.js';

/**
 * Compares served texts (spec/operators.md §5.1).
 * @throws BoardError `not_found`; `content_removed`, `not_signed` or
 *   `invalid_input` without anything to compare
 */
export const selectAlike = command({
  name: 'queue.select',
  reads: true,
  right: 'viewer',
  summary: 'Subjects with the same text, name, key or link as one.',
  input: z.strictObject({
    subject,
    by: z.enum(ALIKE).describe('What is the same.'),
    among: z
      .enum(['queue', 'board'])
      .default('queue')
      .describe('What waits, or every message that is still served.'),
    host: said(253).optional().describe('One host of its links; else any.'),
  }),
  handle: async ({ ctx: { reads }, input }) => {
    const { subject, by, among, host } = input;
    const it = await compared(reads, subject, host);
    const likeness = likenessBy(it, by);
    const find = among === 'queue' ? alikeInQueue : alikeOnBoard;
    const rows = await find(reads, likeness);
    const data = rows.slice(0, SELECTED_MAX);
    return {
      subject,
      by,
      value: likeness.value,
      hosts: it.hosts,
      // `more` than a bulk takes.
      data,
      total: data.length,
      more: rows.length > data.length,
    };
  },
});
