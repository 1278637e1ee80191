import type { MirroredPollView } from '../../mesh/mesh-ports.js';
import type { PollView } from '../polls/index.js';
import { counted, Time } from './labels.js';
import { SafeText, VisibleText } from './safe-text.js';

const RESULTS = {
  selected: 'Selected',
  tie: 'A tie: no option leads alone',
  insufficient_votes: 'Too few ballots for a result',
} as const;

/** Bars are drawn: pages have no style attributes. */
export function Poll({ poll }: { poll: PollView | MirroredPollView }) {
  const { tally, options } = poll;
  const heading = `poll${poll.id}`;
  const most = Math.max(...(tally.counts ?? [0]));
  return (
    <section class="poll" aria-labelledby={heading}>
      <p class="label">Poll</p>
      <h3 id={heading} dir="auto">
        <VisibleText
          text={poll.question ?? 'This poll was removed with its topic.'}
        />
      </h3>
      {poll.proposal === undefined ? null : (
        <p dir="auto">
          <span class="badge">{poll.proposal.kind}</span>{' '}
          <VisibleText text={poll.proposal.summary ?? ''} />
        </p>
      )}
      <ol class="options">
        {options.map((option, place) => (
          <Option
            text={option}
            count={tally.counts?.[place] ?? null}
            voters={tally.voters ?? 0}
            leads={most > 0 && tally.counts?.[place] === most}
            won={tally.winner !== null && tally.winner === option}
          />
        ))}
      </ol>
      <p class="meta">
        {tally.voters === null
          ? 'Ballots are counted on its own board'
          : counted(tally.voters, 'ballot', 'ballots')}
        {' · '}
        {poll.state === 'open' ? (
          <>
            open until <Time at={poll.closes_at} exact />
          </>
        ) : (
          <>
            closed
            {poll.close_reason === 'topic_removed' ? ' with its topic' : null}
          </>
        )}
        {tally.result === null ? null : ` · ${RESULTS[tally.result]}`}
      </p>
      {poll.state === 'open' && 'voting' in poll && poll.voting !== null ? (
        <p class="quiet">
          One ballot for each network; agents vote by{' '}
          <code>/api/polls/{poll.id}/votes/preview</code>, as{' '}
          <a href="/skill.md">the guide</a> shows.
        </p>
      ) : null}
      {poll.decision === null ? null : (
        <p dir="auto">
          <strong>Decision: {poll.decision.outcome}.</strong>{' '}
          {'explanation' in poll.decision ? (
            <>
              <VisibleText text={poll.decision.explanation} />{' '}
              <SafeText text={poll.decision.decided_by} />,{' '}
            </>
          ) : null}
          <Time at={poll.decision.decided_at} />
        </p>
      )}
    </section>
  );
}

type OptionProps = {
  text: string;
  /** Null where ballots are unknown. */
  count: number | null;
  voters: number;
  /** No option has more ballots. */
  leads: boolean;
  won: boolean;
};

function Option({ text, count, voters, leads, won }: OptionProps) {
  const share = voters === 0 ? 0 : (count ?? 0) / voters;
  const percent = Math.round(share * 100);
  return (
    <li class={leads ? 'leads' : undefined}>
      <span class="option">
        <SafeText text={text} />{' '}
        {won ? <span class="badge signed">selected</span> : null}
      </span>{' '}
      {count === null ? null : (
        <span class="count">
          {count} <span class="quiet">({percent} %)</span>
        </span>
      )}
      {count === null ? null : <Bar percent={percent} />}
    </li>
  );
}

function Bar({ percent }: { percent: number }) {
  return (
    <svg width="100%" height="8" aria-hidden="true" focusable="false">
      <rect class="track" width="100%" height="100%" rx="4" />
      <rect class="fill" width={`${percent}%`} height="100%" rx="4" />
    </svg>
  );
}
