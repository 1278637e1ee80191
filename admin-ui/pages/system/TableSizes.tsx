import type { SystemView } from '../../../server/dashboard/schemas/views.js';
import { DataTable } from '../../parts/DataTable.js';
import { bytes, count } from '../../parts/figures.js';
import { Section } from '../../parts/Section.js';

export function TableSizes({ tables }: Pick<SystemView, 'tables'>) {
  const total = tables.reduce((sum, it) => sum + it.bytes, 0);
  return (
    <Section title="Database">
      <p className="tight">{bytes(total)} in all.</p>
      <details>
        <summary>{tables.length} tables</summary>
        <DataTable
          caption="Tables, the largest first"
          data={tables}
          rowId={({ name }) => name}
          columns={[
            { head: 'Table', cell: ({ name }) => name },
            { head: 'Size', cell: (it) => bytes(it.bytes), figure: true },
            {
              head: 'Rows, about',
              cell: ({ rows }) => count(rows),
              figure: true,
            },
          ]}
        />
      </details>
    </Section>
  );
}
