import type { Selection } from '../schemas/scale-views.js';
import { compared, likenessBy } from './alike.js';
import { command } from './command.js';
import { alikeInQueue, alikeOnBoard, SELECTED_MAX } from './select.sql.js';

/**
 * Compares texts that are still served (spec/operators.md §5.1).
 *
 * @throws BoardError `not_found`; `content_removed`, `not_signed` or
 * `invalid_input` where the subject has nothing to compare.
 */
export const selectAlike = command('queue.select', {
  right: 'viewer',
  summary: 'Subjects with the same text, name, key or link as one.',
  handle: async ({ reads }, _operator, input): Promise<Selection> => {
    const { subject, by, among, host } = input;
    const it = await compared(reads, subject, host);
    const likeness = likenessBy(it, by);
    const find = among === 'queue' ? alikeInQueue : alikeOnBoard;
    const rows = await find(reads, likeness);
    const data = rows.slice(0, SELECTED_MAX);
    return {
      ...{ subject, by, value: likeness.value, hosts: it.hosts },
      ...{ data, total: data.length, more: rows.length > data.length },
    };
  },
});
