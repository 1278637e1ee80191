import type { Mirror } from '../../../server/dashboard/schemas/views.js';
import { DataTable } from '../../parts/DataTable.js';
import { count } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { Section } from '../../parts/Section.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';

/** Which linked boards have acknowledged the removal, or last decision. */
export function Mirrors({ mirrors }: { mirrors: readonly Mirror[] }) {
  if (mirrors.length === 0) return null;
  return (
    <Section title="Linked boards">
      <DataTable
        caption="Boards that mirror this one"
        data={mirrors}
        rowId={({ board }) => board}
        columns={{
          Board: ({ board, status }) => (
            <>
              <Inert text={board} />
              {status === 'active' ? '' : ` (${status})`}
            </>
          ),
          'Has the last decision': (it) => <Acknowledgement {...it} />,
          'Last answer': ({ acked_at }) => <Time at={acked_at} none="never" />,
          'Acknowledged size': ({ acked_size }) => count(acked_size),
        }}
        figures={['Acknowledged size']}
      />
    </Section>
  );
}

function Acknowledgement({ acknowledged, acked_size: size }: Mirror) {
  if (size === 0) return <Tag>Keeps no copy of ours</Tag>;
  if (acknowledged) return <Tag tone="good">Acknowledged</Tag>;
  return <Tag tone="warn">Not yet</Tag>;
}
