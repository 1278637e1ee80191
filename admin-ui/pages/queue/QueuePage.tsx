import { useEffect, useMemo } from 'react';
import { Answered } from '../../parts/Answered.js';
import { counted } from '../../parts/figures.js';
import { NewHint } from '../../parts/NewHint.js';
import { Page } from '../../parts/Page.js';
import { type Search, useAddress } from '../../shell/use-address.js';
import { QueueEmpty } from './QueueEmpty.js';
import { QueueFilterBar } from './QueueFilterBar.js';
import { QueueList } from './QueueList.js';
import { queueFilters, rememberQueue } from './queue-input.js';
import { SavedViews } from './SavedViews.js';
import { useQueue } from './use-queue.js';

/** What was reported, one row per subject, the longest waiting first. */
export function QueuePage() {
  const { search } = useAddress();
  const text = JSON.stringify(search);
  const filters = useMemo(
    () => queueFilters(JSON.parse(text) as Search),
    [text],
  );
  const queue = useQueue(filters);
  const { rows, totals, fresh, renew, query } = queue;
  useEffect(() => rememberQueue(filters), [filters]);
  const waiting = totals === null ? 0 : Object.values(totals).reduce(sum, 0);
  return (
    <Page
      title="Queue"
      about={
        totals === null
          ? undefined
          : waiting === 0
            ? 'Nothing waits.'
            : `${kindsOf(totals)}. The longest waiting first.`
      }
      actions={<SavedViews />}
    >
      <QueueFilterBar />
      <NewHint count={fresh} show={renew} />
      <Answered of={query} what="the queue">
        {() =>
          rows.length === 0 ? (
            <QueueEmpty filtered={text !== '{}'} />
          ) : (
            <QueueList queue={queue} />
          )
        }
      </Answered>
    </Page>
  );
}

const sum = (total: number, n: number) => total + n;

/** How many of each kind wait, as “3 topics, 1 poll wait”. */
function kindsOf(totals: Readonly<Record<string, number>>): string {
  const shown = Object.entries(totals)
    .filter(([, n]) => n > 0)
    .map(([kind, n]) => counted(n, kind));
  return `${shown.join(', ')} ${Object.values(totals).reduce(sum) === 1 ? 'waits' : 'wait'}`;
}
