import { Button } from '@mantine/core';
import type { DeliverySeen } from '../../../server/dashboard/commands/deliveries.js';
import { ask, useCommand } from '../../api/ask.js';
import { useEvents } from '../../live/use-live.js';
import { Failure } from '../../parts/Answered.js';
import { Choice } from '../../parts/Filters.js';
import { Inert } from '../../parts/Inert.js';
import { Section } from '../../parts/Page.js';
import { PagedTable, usePages } from '../../parts/PagedList.js';
import { say } from '../../parts/say.js';
import { Tag, type Tone } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';
import { oneOf, useAddress } from '../../shell/use-address.js';
import { faultOf, KIND_WORDS, WAY_WORDS } from './words.js';

type State = DeliverySeen['state'];
const STATES: Readonly<Record<State, readonly [words: string, tone: Tone]>> = {
  waiting: ['Waiting', 'info'],
  sent: ['Sent', 'good'],
  dead: ['Failed', 'bad'],
};
const NAMES = Object.keys(STATES) as State[];
const JOB = 'notifications';

export function Deliveries() {
  const { search } = useAddress();
  const state = oneOf(search.state, NAMES);
  const list = usePages(
    ['notification.deliveries', { state }],
    (before?: { at: number; id: string }) =>
      ask('notification.deliveries', { state, before }),
  );
  useEvents((event) => {
    if (event.kind === 'job' && event.name === JOB && event.rows > 0) {
      void list.query.refetch();
    }
  });
  const retry = useCommand('notification.retry', () => {
    list.refresh();
    say('It is sent again in a moment.');
  });
  return (
    <Section title="Deliveries">
      <search className="filters">
        <Choice
          label="Show"
          name="state"
          options={NAMES}
          words={(it) => STATES[it as State][0]}
        />
      </search>
      <PagedTable
        list={list}
        what="the deliveries"
        empty={<p className="dim">Nothing was sent yet.</p>}
        caption="List of deliveries"
        rowId={({ id }) => id}
        columns={{
          To: ({ way, to }) => (
            <>
              {WAY_WORDS[way]} <Inert text={to} />
            </>
          ),
          What: whatOf,
          State: stateOf,
          Time: timeOf,
          '–': ({ id, state: now }) =>
            now === 'dead' ? (
              <Button size="compact-xs" onClick={() => retry.mutate({ id })}>
                Send again
              </Button>
            ) : null,
        }}
      />
      <Failure error={retry.error} />
    </Section>
  );
}

function whatOf({ test, kinds, total }: DeliverySeen): string {
  if (test) return 'Test';
  const words = kinds.map((kind) => KIND_WORDS[kind]).join(', ');
  return total === 1 ? words : `${total}: ${words}`;
}

function stateOf(it: DeliverySeen) {
  const [words, tone] = STATES[it.state];
  return (
    <>
      <Tag tone={tone}>{words}</Tag> {faultOf(it)}
      {it.attempts > 1 ? ` ${it.attempts} attempts.` : null}
    </>
  );
}

function timeOf({ state, sent_at, due_at, created_at }: DeliverySeen) {
  if (state === 'waiting') {
    return (
      <>
        due <Time at={due_at} />
      </>
    );
  }
  return <Time at={sent_at ?? created_at} />;
}
