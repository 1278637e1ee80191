import { ROOMS } from '../../../protocol/room.js';
import { ask } from '../../api/ask.js';
import { useHints } from '../../live/use-live.js';
import { Answered } from '../../parts/Answered.js';
import { Choice } from '../../parts/Choice.js';
import { Empty } from '../../parts/Empty.js';
import { MoreButton } from '../../parts/MoreButton.js';
import { NewHint } from '../../parts/NewHint.js';
import { Page } from '../../parts/Page.js';
import { usePages } from '../../parts/use-pages.js';
import { oneOf, useAddress } from '../../shell/use-address.js';
import { HiddenTopicCard } from './HiddenTopicCard.js';

/** Topics at −3 or lower, each with its votes, its thread and its appeal. */
export function HiddenPage() {
  const { search } = useAddress();
  const room = oneOf(search.room, ROOMS);
  const list = usePages(['hidden.list', { room }], (before: number | null) =>
    ask('hidden.list', { room, ...(before === null ? {} : { before }) }),
  );
  const hints = useHints(['hidden']);
  return (
    <Page
      title="Hidden topics"
      about="What ratings, or a decision, took out of the lists. Was it fair?"
    >
      <search className="filters">
        <Choice label="Room" name="room" options={ROOMS} />
      </search>
      <NewHint
        count={hints.count}
        show={() => {
          hints.clear();
          list.renew();
        }}
      />
      <Answered of={list.query} what="the hidden topics">
        {() =>
          list.rows.length === 0 ? (
            <Empty title="No topic is hidden." />
          ) : (
            <>
              {list.rows.map((topic) => (
                <HiddenTopicCard key={topic.id} topic={topic} />
              ))}
              <MoreButton query={list.query} />
            </>
          )
        }
      </Answered>
    </Page>
  );
}
