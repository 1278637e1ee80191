import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  POLL_OUTCOMES,
  type PollOutcome,
} from '../../../protocol/moderation.js';
import type { PollView } from '../../../server/polls/index.js';
import { useMay } from '../../access/use-access.js';
import { ask } from '../../api/ask.js';
import { useHints } from '../../live/use-live.js';
import { Choice } from '../../parts/Filters.js';
import { Inert } from '../../parts/Inert.js';
import { Empty, NewHint, Page } from '../../parts/Page.js';
import { PagedList, usePages } from '../../parts/PagedList.js';
import { PollTally } from '../../parts/poll.js';
import { Select } from '../../parts/Select.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';
import { OUTCOME_WORDS } from '../../parts/words.js';
import { oneOf, useAddress } from '../../shell/use-address.js';
import { ShortDecision } from '../item/ShortDecision.js';

const STATES = ['awaiting', 'open', 'decided', 'all'] as const;

/** Proposals that ended without an answer; others on request. */
export function PollsPage() {
  const { search } = useAddress();
  const state = oneOf(search.state, STATES) ?? 'awaiting';
  const list = usePages(['poll.list', { state }], (before?: number) =>
    ask('poll.list', { state, before }),
  );
  const hints = useHints(['poll', 'decision'], list.refresh, {
    counts: (event) => event.kind !== 'decision' || event.poll_id !== null,
    readAt: list.query.dataUpdatedAt,
  });
  const none =
    search.state === undefined
      ? 'No proposal waits for an answer.'
      : 'No poll is like that.';
  return (
    <Page
      title="Polls"
      about="A proposal gets its answer from an operator, with a reason."
    >
      <search className="filters">
        <Choice
          label="Show"
          name="state"
          none="Awaiting a decision"
          options={STATES.slice(1)}
        />
      </search>
      <NewHint {...hints} />
      <PagedList list={list} what="the polls" empty={<Empty title={none} />}>
        {(rows) =>
          rows.map(({ poll, last_decision_id: seen }) => (
            <PollCard
              key={poll.id}
              poll={poll}
              seen={seen}
              settled={list.refresh}
            />
          ))
        }
      </PagedList>
    </Page>
  );
}

type Props = { poll: PollView; seen: number | null; settled: () => void };

function PollCard({ poll, seen, settled }: Props) {
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
      <Inert text={proposal?.summary ?? null} />
      <p className="dim tight">
        {poll.state === 'open' ? 'Closes' : 'Closed'}{' '}
        <Time at={poll.closes_at} />
      </p>
      <PollTally poll={poll} />
      {decision === null ? null : (
        <p>
          <Tag tone="good">{OUTCOME_WORDS[decision.outcome]}</Tag>{' '}
          <Time at={decision.decided_at} />{' '}
          <Inert text={decision.explanation ?? ''} />
        </p>
      )}
      {awaits && may ? (
        <Answer poll={poll} seen={seen} settled={settled} />
      ) : null}
    </article>
  );
}

function Answer({ poll: { id }, seen, settled }: Props) {
  const [outcome, setOutcome] = useState<PollOutcome>('accepted');
  return (
    <ShortDecision
      subject={`poll:${id}`}
      decision={{ action: 'poll_decision', id, outcome, seen }}
      label="Record"
      done={(number) =>
        `Poll ${id} answered: ${OUTCOME_WORDS[outcome].toLowerCase()} (decision ${number}).`
      }
      settled={settled}
    >
      <Select
        label="Answer"
        options={POLL_OUTCOMES}
        words={(it) => OUTCOME_WORDS[it]}
        value={outcome}
        choose={setOutcome}
      />
    </ShortDecision>
  );
}
