import { Inert } from '../../parts/Inert.js';
import { PollTally, pollOf } from '../../parts/poll.js';
import { Section } from '../../parts/Section.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';

export function PollEvidence({ poll }: { poll: unknown }) {
  const it = pollOf(poll);
  if (it === null) return null;
  return (
    <Section
      title={`Poll ${it.id}`}
      actions={<Tag tone="info">{it.state}</Tag>}
    >
      <p className="strong">
        <Inert text={it.question ?? 'The question is removed.'} />
      </p>
      {it.proposal === undefined ? null : (
        <p>
          Proposal ({it.proposal.kind})
          {it.proposal.summary === null ? '' : ': '}
          <Inert text={it.proposal.summary} />
        </p>
      )}
      <p className="dim">
        Closes <Time at={it.closes_at} />
      </p>
      <PollTally poll={it} />
    </Section>
  );
}
