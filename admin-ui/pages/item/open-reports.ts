import type { Item } from '../../../server/dashboard/schemas/views.js';

/** The reports that wait, by their request_id. */
export function openReports({ reports }: Pick<Item, 'reports'>): string[] {
  return reports
    .filter(({ status }) => status === 'received' || status === 'in_review')
    .map(({ request_id }) => request_id);
}
