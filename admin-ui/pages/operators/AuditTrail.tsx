import { useMemo } from 'react';
import type { AuditPage, AuditRow } from '../../api/access-answers.js';
import { withCredential } from '../../api/ask.js';
import { get } from '../../api/request.js';
import { Answered } from '../../parts/Answered.js';
import { type Column, DataTable } from '../../parts/DataTable.js';
import { Empty } from '../../parts/Empty.js';
import { Inert } from '../../parts/Inert.js';
import { MoreButton } from '../../parts/MoreButton.js';
import { Section } from '../../parts/Section.js';
import { Time } from '../../parts/Time.js';
import { Typed } from '../../parts/Typed.js';
import { usePages } from '../../parts/use-pages.js';
import { useAddress } from '../../shell/use-address.js';
import { AuditCheck } from './AuditCheck.js';

const FILTERS = ['action', 'subject', 'operator'] as const;

const COLUMNS: readonly Column<AuditRow>[] = [
  { head: 'Row', cell: ({ id }) => id, figure: true },
  { head: 'When', cell: ({ at }) => <Time at={at} /> },
  { head: 'Who', cell: ({ operator }) => <Inert text={operator} /> },
  { head: 'What', cell: ({ action }) => action },
  { head: 'On what', cell: ({ subject }) => <Inert text={subject} /> },
  { head: 'Before', cell: ({ before }) => <Json value={before} /> },
  { head: 'After', cell: ({ after }) => <Json value={after} /> },
  {
    head: 'Session',
    cell: ({ session_id: id }) =>
      id === null ? 'command line' : <code title={id}>{id.slice(0, 8)}</code>,
  },
];

function Json({ value }: { value: unknown }) {
  if (value === null) return <>–</>;
  return (
    <code className="break">
      <Inert text={JSON.stringify(value)} />
    </code>
  );
}

/** Every action of every operator, newest first; it is only ever added to. */
export function AuditTrail() {
  const { search } = useAddress();
  const text = JSON.stringify(FILTERS.map((name) => search[name] ?? ''));
  const query = useMemo(() => {
    const values = JSON.parse(text) as string[];
    const pairs = FILTERS.map((name, n) => [name, values[n] ?? '']);
    return new URLSearchParams(pairs.filter(([, value]) => value !== ''));
  }, [text]);
  // Under its address, so that adding a row reads it again.
  const key = ['get', '/audit', text];
  const trail = usePages(key, (before: number | null) => {
    const more = new URLSearchParams(query);
    if (before !== null) more.set('before', String(before));
    return withCredential(() => get<AuditPage>(`/audit?${more}`));
  });
  return (
    <Section
      title="Audit trail"
      actions={
        <>
          <a href="/admin/api/audit/export?format=csv" download>
            Export CSV
          </a>
          <a href="/admin/api/audit/export?format=json" download>
            Export JSON
          </a>
        </>
      }
    >
      <AuditCheck />
      <search className="filters">
        {FILTERS.map((name) => (
          <Typed key={name} label={`Exact ${name}`} name={name} />
        ))}
      </search>
      <Answered of={trail.query} what="the trail">
        {() =>
          trail.rows.length === 0 ? (
            <Empty title="No row matches." />
          ) : (
            <>
              <DataTable
                caption="Audit trail, newest first"
                data={trail.rows}
                rowId={({ id }) => String(id)}
                columns={COLUMNS}
              />
              <MoreButton query={trail.query} />
            </>
          )
        }
      </Answered>
    </Section>
  );
}
