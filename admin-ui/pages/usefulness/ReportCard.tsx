import type { UsefulnessSeen } from '../../../server/dashboard/schemas/views.js';
import { useMay } from '../../access/use-access.js';
import { Inert } from '../../parts/Inert.js';
import { Section } from '../../parts/Section.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';
import { DraftActions } from './DraftActions.js';
import { Metrics } from './MetricTables.js';

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
