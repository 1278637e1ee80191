import type { VoteSeen } from '../../../server/dashboard/schemas/views.js';
import { counted } from '../../parts/figures.js';
import { Section } from '../../parts/Section.js';
import { VoteLine } from '../../parts/VoteLine.js';

export function VoteEvidence({ votes }: { votes: readonly VoteSeen[] }) {
  return (
    <Section title="Votes over time">
      {votes.length === 0 ? (
        <p className="dim">Nobody has voted.</p>
      ) : (
        <>
          <p className="tight">
            {counted(votes.filter(({ value }) => value > 0).length, 'vote')}{' '}
            for, {votes.filter(({ value }) => value < 0).length} against. Votes
            have a time and a sign here, never a network.
          </p>
          <VoteLine votes={votes} />
        </>
      )}
    </Section>
  );
}
