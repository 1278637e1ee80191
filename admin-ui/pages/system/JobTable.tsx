import type { SystemView } from '../../../server/dashboard/schemas/views.js';
import { DataTable } from '../../parts/DataTable.js';
import { count } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { Section } from '../../parts/Section.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';

export function JobTable({ jobs }: Pick<SystemView, 'jobs'>) {
  return (
    <Section title="Jobs">
      {jobs.length === 0 ? (
        <p className="dim tight">None has run yet.</p>
      ) : (
        <DataTable
          caption="The node’s own work"
          data={jobs}
          rowId={({ name }) => name}
          columns={[
            { head: 'Job', cell: ({ name }) => name },
            {
              head: 'Last run',
              cell: ({ started_at }) => <Time at={started_at} />,
            },
            {
              head: 'Took',
              cell: ({ duration_ms }) => `${count(duration_ms)} ms`,
              figure: true,
            },
            { head: 'Rows', cell: ({ rows }) => count(rows), figure: true },
            {
              head: 'Result',
              cell: ({ error, failures }) =>
                error === null ? (
                  <Tag tone="good">Fine</Tag>
                ) : (
                  <>
                    <Tag tone="bad">Failed {failures} times</Tag>{' '}
                    <Inert text={error} />
                  </>
                ),
            },
          ]}
        />
      )}
    </Section>
  );
}
