import type { SystemView } from '../../../server/dashboard/schemas/views.js';
import { DataTable } from '../../parts/DataTable.js';
import { count } from '../../parts/figures.js';
import { Section } from '../../parts/Section.js';

type Limits = SystemView['limits'];

/** Those that differ from the software's own at once, all on asking. */
export function LimitTable({ limits }: { limits: Limits }) {
  const own = limits.filter((it) => it.value !== it.default);
  return (
    <Section title="Limits in force">
      {own.length === 0 ? (
        <p className="tight">All as the software brings them.</p>
      ) : (
        <Table caption="Limits of this node’s own" limits={own} />
      )}
      <details>
        <summary>All {limits.length} limits</summary>
        <Table caption="Limits" limits={limits} />
      </details>
    </Section>
  );
}

function Table({ caption, limits }: { caption: string; limits: Limits }) {
  return (
    <DataTable
      caption={caption}
      data={limits}
      rowId={({ name }) => name}
      columns={[
        { head: 'Limit', cell: ({ name }) => name },
        { head: 'Value', cell: ({ value }) => count(value), figure: true },
        {
          head: 'Default',
          cell: (it) =>
            it.value === it.default ? 'the same' : count(it.default),
          figure: true,
        },
      ]}
    />
  );
}
