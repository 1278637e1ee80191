import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CommandAnswers } from '../../../server/dashboard/all-commands.js';
import { withCredential } from '../../api/ask.js';
import { get } from '../../api/request.js';
import { Failure } from '../../parts/Answered.js';
import type { Columns } from '../../parts/DataTable.js';
import { Typed } from '../../parts/Filters.js';
import { Inert } from '../../parts/Inert.js';
import { Empty, exportsOf, Facts, Section } from '../../parts/Page.js';
import { PagedTable, usePages } from '../../parts/PagedList.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';
import {
  actionOf,
  memberOf,
  named,
  saidOf,
  shownValue,
  subjectOf,
} from '../../parts/words.js';
import { targetOf } from '../../shell/target-of.js';
import { queryOf, useAddress } from '../../shell/use-address.js';

type AuditRow = CommandAnswers['audit.list']['data'][number];

const COLUMNS: Columns<AuditRow> = {
  Row: ({ id }) => id,
  When: ({ at }) => <Time at={at} />,
  Who: ({ operator }) => <Inert text={operator} />,
  What: ({ action, after }) =>
    saidOf(action, (after as { stays_hidden?: boolean })?.stays_hidden),
  'On what': ({ subject, text }) =>
    targetOf(subject)?.subject !== subject ? (
      <Link to="/operators" search={{ subject } as never}>
        <Inert text={named(subject.replace(/[^:]{36}$/, (id) => text || id))} />
      </Link>
    ) : (
      <>
        <Link to="/item/$subject" params={{ subject }}>
          {named(subject)}
        </Link>{' '}
        <Inert text={text?.replaceAll('\n', ' ') ?? null} />
      </>
    ),
  'Before and after': (row) => <Changed of={row} />,
  Session: ({ session_id: id }) =>
    id === null ? 'command line' : <code title={id}>{id.slice(0, 8)}</code>,
};

/** Folded: a decision's is longer than a phone's screen. */
function Changed({ of: { before, after } }: { of: AuditRow }) {
  if (before === null && after === null) return '–';
  return (
    <details>
      <summary>Show</summary>
      {before == null ? null : <Members title="Before" of={before} />}
      {after == null ? null : <Members title="After" of={after} />}
    </details>
  );
}

function Members({ title, of }: { title: string; of: object }) {
  const texts = Object.entries(of).map(([name, value]) => [
    memberOf(name),
    <Inert key={name} text={shownValue(value)} />,
  ]);
  return (
    <>
      <p className="dim tight">{title}</p>
      <Facts of={Object.fromEntries(texts)} />
    </>
  );
}

export function AuditTrail() {
  const { search } = useAddress();
  const { action, subject, operator } = search;
  // What the table shows can be typed.
  const filters = {
    action: action && actionOf(action),
    subject: subject && subjectOf(subject),
    operator,
  };
  // Keyed by address, so that adding a row reads it again.
  const trail = usePages(['get', '/audit', filters], (before?: number) => {
    const query = queryOf({ ...filters, limit: 20, before });
    return withCredential(() => get<'audit.list'>(`/audit?${query}`));
  });
  return (
    <Section
      title="Audit trail"
      className="stack"
      actions={exportsOf('audit/export?')}
    >
      <Check />
      <search className="filters">
        <Typed label="What" name="action" />
        <Typed label="On what" name="subject" />
        <Typed label="Who" name="operator" />
      </search>
      <PagedTable
        list={trail}
        what="the trail"
        empty={<Empty title="No row matches." />}
        caption="Audit trail, newest first"
        rowId={({ id }) => String(id)}
        columns={COLUMNS}
        figures={['Row']}
      />
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
          {data.broken === null
            ? `Whole, ${data.rows} rows`
            : `Broken at row ${data.broken.id}: ${data.broken.problem}`}
        </Tag>
      )}
      <Failure error={check.error} />
    </div>
  );
}
