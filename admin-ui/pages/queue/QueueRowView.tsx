import { Link } from '@tanstack/react-router';
import type { QueueRow } from '../../../server/dashboard/schemas/views.js';
import { counted } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { StateTag } from '../../parts/StateTag.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';
import { plain } from '../../parts/words.js';

type Props = { row: QueueRow; mark: string | undefined };

/** One subject: what it is, why it was reported, who is at it. */
export function QueueRowView({ row, mark }: Props) {
  const { subject, title, excerpt, author, claim, reasons } = row;
  return (
    <>
      <Link to="/item/$subject" params={{ subject }} className="queue-title">
        <span className="unseen-label">
          {plain(row.kind)} {subject.split(':')[1]}:{' '}
        </span>
        <Inert text={title ?? excerpt ?? 'Removed'} />
      </Link>
      {title === null || excerpt === null ? null : (
        <span className="queue-excerpt">
          <Inert text={excerpt.replaceAll('\n', ' ')} />
        </span>
      )}
      <span className="queue-line">
        <span>{subject}</span>
        <span>{row.room}</span>
        {author === null ? null : <Inert text={author} />}
        {row.reports === 0 ? null : (
          <span>{counted(row.reports, 'report')}</span>
        )}
        {row.appeals === 0 ? null : <Tag tone="warn">Appeal</Tag>}
        {reasons.length === 0 ? null : (
          <span>{reasons.map(plain).join(', ')}</span>
        )}
        <StateTag state={row.state} />
        <span>
          waits since <Time at={row.first_at} />
        </span>
        {claim === null ? null : (
          <Tag tone={claim.mine ? 'info' : 'warn'}>
            {claim.mine ? 'You are at it' : `${claim.operator} is at it`}
          </Tag>
        )}
        {mark === undefined ? null : <Tag tone="info">{mark}</Tag>}
      </span>
    </>
  );
}
