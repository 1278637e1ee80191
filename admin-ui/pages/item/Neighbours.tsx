import { Link, useNavigate } from '@tanstack/react-router';
import { useAsk } from '../../api/use-ask.js';
import { useKeys } from '../../shell/use-keys.js';
import { rememberedQueue } from '../queue/queue-input.js';

/** As many as an operator goes through one by one. */
const AHEAD = 100;

/** The items before and after this one, in the queue that was looked at last. */
export function Neighbours({ subject }: { subject: string }) {
  const filters = rememberedQueue();
  const { data } = useAsk('queue.list', { ...filters, limit: AHEAD });
  const go = useNavigate();
  const rows = data?.data ?? [];
  const place = rows.findIndex((row) => row.subject === subject);
  const before = rows[place - 1]?.subject;
  const after = rows[place + 1]?.subject;
  const open = (to: string | undefined) =>
    to && void go({ to: '/item/$subject', params: { subject: to } });
  useKeys({ j: () => open(after), k: () => open(before) });
  const step = (label: string, to: string | undefined) =>
    to === undefined ? null : (
      <Link to="/item/$subject" params={{ subject: to }}>
        {label}
      </Link>
    );
  return (
    <nav className="row" aria-label="The queue">
      <Link to="/queue" search={filters as never}>
        Back to the queue
      </Link>
      {place < 0 ? null : (
        <span className="dim">
          {place + 1} of {rows.length}
          {data?.next == null ? '' : ' or more'}
        </span>
      )}
      {step('Previous', before)}
      {step(place < 0 ? 'First of the queue' : 'Next', after)}
    </nav>
  );
}
