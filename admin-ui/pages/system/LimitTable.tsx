import type { SystemView } from '../../../server/admin/events/views.js';
import { DataTable } from '../../parts/DataTable.js';
import { count } from '../../parts/figures.js';
import { Section } from '../../parts/Section.js';
import { Tag } from '../../parts/Tag.js';

export function LimitTable({ limits }: Pick<SystemView, 'limits'>) {
  const own = limits.filter((it) => it.value !== it.default);
  return (
    <Section title="Limits in force">
      <p className="tight">
        {own.length === 0
          ? 'All as the software brings them.'
          : `${own.length} differ from the software’s own.`}
      </p>
      <details>
        <summary>All {limits.length} limits</summary>
        <DataTable
          caption="Limits"
          data={limits}
          rowId={({ name }) => name}
          columns={[
            { head: 'Limit', cell: ({ name }) => name },
            { head: 'Value', cell: ({ value }) => count(value), figure: true },
            {
              head: 'Default',
              cell: (it) =>
                it.value === it.default ? (
                  'the same'
                ) : (
                  <Tag tone="info">{count(it.default)}</Tag>
                ),
              figure: true,
            },
          ]}
        />
      </details>
    </Section>
  );
}
