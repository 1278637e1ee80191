import { Checkbox } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { REPORT_REASONS } from '../../../protocol/moderation.js';
import { ROOMS } from '../../../protocol/room.js';
import { Answered } from '../../parts/Answered.js';
import { Empty } from '../../parts/Empty.js';
import { Choice, Filters } from '../../parts/Filters.js';
import { counted } from '../../parts/figures.js';
import { NewHint } from '../../parts/NewHint.js';
import { Page } from '../../parts/Page.js';
import { useAddress } from '../../shell/use-address.js';
import { QueueList } from './QueueList.js';
import {
  CLAIMED,
  KINDS,
  queueFilters,
  rememberQueue,
  STATUSES,
} from './queue-input.js';
import { SavedViews } from './SavedViews.js';
import { Unfinished } from './Unfinished.js';
import { useQueue } from './use-queue.js';

/** What was reported, one row per subject, the longest waiting first. */
export function QueuePage() {
  const { search, change } = useAddress();
  const filters = queueFilters(search);
  const queue = useQueue(filters);
  const filtered = JSON.stringify(filters) !== '{"status":"open"}';
  const { pathname } = useLocation();
  useEffect(() => {
    // On the way to another page, its filters are not those of the queue.
    if (pathname.endsWith('/queue')) rememberQueue(filters);
  });
  return (
    <Page
      title="Queue"
      about={queue.totals && waiting(queue.totals, filtered)}
      actions={<SavedViews />}
    >
      <Filters>
        <Choice
          label="Status"
          name="status"
          none="Open (all)"
          options={STATUSES.filter((it) => it !== 'open')}
        />
        <Choice label="Kind" name="kind" options={KINDS} />
        <Choice label="Reason" name="reason" options={REPORT_REASONS} />
        <Choice label="Room" name="room" options={ROOMS} />
        <Choice
          label="Claimed by"
          name="claimed"
          none="Anybody"
          options={CLAIMED}
        />
        <Checkbox
          label="With an appeal"
          checked={search.appeals === 'true'}
          onChange={({ currentTarget }) =>
            change({ appeals: currentTarget.checked ? 'true' : undefined })
          }
        />
      </Filters>
      <Unfinished />
      <NewHint count={queue.fresh} show={queue.renew} />
      <Answered of={queue.query} what="the queue">
        {() =>
          queue.rows.length === 0 ? (
            <NoRow filtered={filtered} />
          ) : (
            <QueueList queue={queue} />
          )
        }
      </Answered>
    </Page>
  );
}

function NoRow({ filtered }: { filtered: boolean }) {
  return filtered ? (
    <Empty title="Nothing matches these filters.">
      <Link to="/queue">Show everything that waits</Link>
    </Empty>
  ) : (
    <Empty title="Nothing waits. Well done.">
      Reports, appeals and proposals that ended show up here by themselves.
    </Empty>
  );
}

type Totals = Readonly<Record<string, number>>;

/** How many wait, and of what kinds: “3 items, oldest first (2 topics, 1 poll)”. */
function waiting(totals: Totals, filtered: boolean): string {
  const shown = Object.entries(totals).filter(([, n]) => n > 0);
  const all = shown.reduce((sum, [, n]) => sum + n, 0);
  if (all === 0) return filtered ? 'Nothing waits at all.' : '';
  const items = counted(all, 'item');
  if (filtered) return `Filtered. Without filters ${items} wait.`;
  const kinds = shown.map(([kind, n]) => counted(n, kind)).join(', ');
  return `${items}, oldest first${shown.length > 1 ? ` (${kinds})` : ''}.`;
}
