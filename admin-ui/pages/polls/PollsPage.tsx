import { ask } from '../../api/ask.js';
import { useHints } from '../../live/use-live.js';
import { Answered } from '../../parts/Answered.js';
import { Choice } from '../../parts/Choice.js';
import { Empty } from '../../parts/Empty.js';
import { MoreButton } from '../../parts/MoreButton.js';
import { NewHint } from '../../parts/NewHint.js';
import { Page } from '../../parts/Page.js';
import { pollOf } from '../../parts/poll-shape.js';
import { usePages } from '../../parts/use-pages.js';
import { oneOf, useAddress } from '../../shell/use-address.js';
import { PollCard } from './PollCard.js';

const STATES = ['awaiting', 'open', 'decided', 'all'] as const;

/** Proposals that ended and wait for an answer; others on asking. */
export function PollsPage() {
  const { search } = useAddress();
  const state = oneOf(search.state, STATES) ?? 'awaiting';
  const list = usePages(['poll.list', { state }], (before: number | null) =>
    ask('poll.list', { state, ...(before === null ? {} : { before }) }),
  );
  const hints = useHints(['poll', 'decision'], (event) =>
    event.kind === 'decision' ? event.poll_id !== null : true,
  );
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
      <NewHint
        count={hints.count}
        show={() => {
          hints.clear();
          list.renew();
        }}
      />
      <Answered of={list.query} what="the polls">
        {() =>
          list.rows.length === 0 ? (
            <Empty
              title={
                search.state === undefined
                  ? 'No proposal waits for an answer.'
                  : 'No poll is like that.'
              }
            />
          ) : (
            <>
              {list.rows.map((row) => {
                const poll = pollOf(row.poll);
                return poll === null ? null : (
                  <PollCard
                    key={poll.id}
                    poll={poll}
                    seen={row.last_decision_id}
                  />
                );
              })}
              <MoreButton query={list.query} />
            </>
          )
        }
      </Answered>
    </Page>
  );
}
