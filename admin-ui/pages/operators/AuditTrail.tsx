import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { CommandAnswers } from '../../../server/dashboard/all-commands.js';
import { withCredential } from '../../api/ask.js';
import { get } from '../../api/request.js';
import { Failure } from '../../parts/Answered.js';
import { type Columns, DataTable } from '../../parts/DataTable.js';
import { Typed } from '../../parts/Filters.js';
import { Inert } from '../../parts/Inert.js';
import { Empty, Section } from '../../parts/Page.js';
import { PagedList, usePages } from '../../parts/PagedList.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';
import { queryOf, useAddress } from '../../shell/use-address.js';

type AuditRow = CommandAnswers['audit.list']['data'][number];

const COLUMNS: Columns<AuditRow> = {
  Row: ({ id }) => id,
  When: ({ at }) => <Time at={at} />,
  Who: ({ operator }) => <Inert text={operator} />,
  What: ({ action }) => action,
  'On what': ({ subject }) => <Inert text={subject} />,
  'Before and after': (row) => <Changed of={row} />,
  Session: ({ session_id: id }) =>
    id === null ? 'command line' : <code title={id}>{id.slice(0, 8)}</code>,
};

/** Shows two lines where the action has a state before. */
function Changed({ of: { before, after } }: { of: AuditRow }) {
  return (
    <>
      {before === null ? null : (
        <p className="tight">
          Before: <Json value={before} />
        </p>
      )}
      {before === null ? null : 'After: '}
      <Json value={after} />
    </>
  );
}

function Json({ value }: { value: unknown }) {
  if (value === null) return '–';
  return (
    <code className="break">
      <Inert text={JSON.stringify(value)} />
    </code>
  );
}

export function AuditTrail() {
  const { search } = useAddress();
  const { action, subject, operator } = search;
  const filters = { action, subject, operator };
  // Keyed by address, so that adding a row reads it again.
  const trail = usePages(['get', '/audit', filters], (before?: number) => {
    const query = queryOf({ ...filters, before });
    return withCredential(() => get<'audit.list'>(`/audit?${query}`));
  });
  return (
    <Section
      title="Audit trail"
      actions={['csv', 'json'].map((format) => (
        <a
          key={format}
          href={`/admin/api/audit/export?format=${format}`}
          download
        >
          Export {format.toUpperCase()}
        </a>
      ))}
    >
      <Check />
      <search className="filters">
        {Object.keys(filters).map((name) => (
          <Typed key={name} label={`Exact ${name}`} name={name} />
        ))}
      </search>
      <PagedList
        list={trail}
        what="the trail"
        empty={<Empty title="No row matches." />}
      >
        {(rows) => (
          <DataTable
            caption="Audit trail, newest first"
            data={rows}
            rowId={({ id }) => String(id)}
            columns={COLUMNS}
            figures={['Row']}
          />
        )}
      </PagedList>
    </Section>
  );
}

/** Checks that every row of the trail hashes the one before. */
function Check() {
  const check = useMutation({
    mutationFn: () => withCredential(() => get<'audit.check'>('/audit/check')),
  });
  const { data } = check;
  return (
    <div className="row" role="status">
      <Button loading={check.isPending} onClick={() => check.mutate()}>
        Check the chain
      </Button>
      {data === undefined ? null : (
        <Tag tone={data.ok ? 'good' : 'bad'}>
          {data.ok
            ? `Whole, ${data.rows} rows`
            : `Broken: ${JSON.stringify(data.broken)}`}
        </Tag>
      )}
      <Failure error={check.error} />
    </div>
  );
}
