import type { UsefulnessSeen } from '../../../server/dashboard/schemas/views.js';
import { useMay } from '../../access/use-access.js';
import { DataTable } from '../../parts/DataTable.js';
import { count } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { Section } from '../../parts/Section.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';
import { plain } from '../../parts/words.js';
import { DraftActions } from './DraftActions.js';
import { errorsOf, leavesOf } from './metrics.js';

type Props = { report: UsefulnessSeen; renew: () => void };

/** One report, a draft or published. */
export function ReportCard({ report, renew }: Props) {
  const decides = useMay('moderator');
  const { id, period, note, operator, published_at: published } = report;
  const day = (text: string) => text.slice(0, 10);
  return (
    <Section
      title={`${day(period.start)} to ${day(period.end)}`}
      actions={
        <>
          <Tag tone={published === null ? 'warn' : 'good'}>
            {published === null ? 'Draft' : 'Published'}
          </Tag>
          {(['csv', 'json'] as const).map((format) => (
            <a
              key={format}
              href={`/admin/api/do/usefulness/${id}?format=${format}`}
              download
              aria-label={`Export report ${id} as ${format.toUpperCase()}`}
            >
              {format.toUpperCase()}
            </a>
          ))}
        </>
      }
    >
      <p className="dim tight">
        Report {id}, by <Inert text={operator} />
        {published === null ? '' : ', published '}
        <Time at={published} />
      </p>
      {note === '' ? null : (
        <p>
          <Inert text={note} />
        </p>
      )}
      <Metrics of={report} />
      {published === null && decides ? (
        <DraftActions report={report} renew={renew} />
      ) : null}
    </Section>
  );
}

/** Every figure by its name, and the errors by operation. */
function Metrics({ of: { id, metrics } }: { of: UsefulnessSeen }) {
  const errors = errorsOf(metrics);
  return (
    <>
      <DataTable
        caption={`Figures of report ${id}`}
        data={leavesOf(metrics)}
        rowId={({ name }) => name}
        columns={{
          Figure: ({ name }) => plain(name.replaceAll('.', ': ')),
          Value: ({ value }) => <Inert text={value} />,
        }}
        figures={['Value']}
      />
      {errors.length === 0 ? null : (
        <details>
          <summary>Errors by operation ({errors.length})</summary>
          <DataTable
            caption={`Errors of report ${id}`}
            data={errors}
            rowId={(it) => `${it.operation} ${it.code}`}
            columns={{
              Operation: ({ operation }) => operation,
              Code: ({ code }) => code,
              Requests: (it) => count(it.count),
            }}
            figures={['Requests']}
          />
        </details>
      )}
    </>
  );
}
