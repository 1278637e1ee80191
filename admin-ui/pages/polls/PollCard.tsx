import { Link } from '@tanstack/react-router';
import { useMay } from '../../access/use-access.js';
import { Inert } from '../../parts/Inert.js';
import { PollTally } from '../../parts/PollTally.js';
import type { Poll } from '../../parts/poll-shape.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';
import { PollDecisionForm } from './PollDecisionForm.js';

type Props = { poll: Poll; seen: number | null };

export function PollCard({ poll, seen }: Props) {
  const may = useMay('moderator');
  const { decision, proposal } = poll;
  const awaits =
    poll.type === 'proposal' &&
    poll.state === 'closed' &&
    decision === null &&
    poll.close_reason !== 'topic_removed';
  return (
    <article className="card stack">
      <div className="section-head">
        <h2>
          <Link to="/item/$subject" params={{ subject: `poll:${poll.id}` }}>
            <Inert text={poll.question ?? `Poll ${poll.id}`} />
          </Link>
        </h2>
        <span className="row">
          <Tag>{proposal === undefined ? 'Survey' : proposal.kind}</Tag>
          <Tag tone={poll.state === 'open' ? 'info' : 'calm'}>{poll.state}</Tag>
        </span>
      </div>
      {proposal?.summary == null ? null : <Inert text={proposal.summary} />}
      <p className="dim tight">
        {poll.state === 'open' ? 'Closes' : 'Closed'}{' '}
        <Time at={poll.closes_at} />
      </p>
      <PollTally poll={poll} />
      {decision === null ? null : (
        <p>
          <Tag tone="good">{decision.outcome}</Tag>{' '}
          <Time at={decision.decided_at} />{' '}
          <Inert text={decision.explanation ?? ''} />
        </p>
      )}
      {awaits && may ? <PollDecisionForm poll={poll} seen={seen} /> : null}
    </article>
  );
}
