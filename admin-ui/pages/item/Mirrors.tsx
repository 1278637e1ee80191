import type { Mirror } from '../../../server/admin/events/views.js';
import { DataTable } from '../../parts/DataTable.js';
import { count } from '../../parts/figures.js';
import { Section } from '../../parts/Section.js';
import { Tag } from '../../parts/Tag.js';

/** Which linked boards have acknowledged the removal, or last decision. */
export function Mirrors({ mirrors }: { mirrors: readonly Mirror[] }) {
  if (mirrors.length === 0) return null;
  return (
    <Section title="Linked boards">
      <DataTable
        caption="Boards that mirror this one"
        data={mirrors}
        rowId={({ board }) => board}
        columns={[
          { head: 'Board', cell: ({ board }) => board },
          {
            head: 'Has the last decision',
            cell: ({ acknowledged }) => (
              <Tag tone={acknowledged ? 'good' : 'warn'}>
                {acknowledged ? 'Acknowledged' : 'Not yet'}
              </Tag>
            ),
          },
          {
            head: 'Acknowledged size',
            cell: ({ acked_size }) => count(acked_size),
            figure: true,
          },
        ]}
      />
    </Section>
  );
}
