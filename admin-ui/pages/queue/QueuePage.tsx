import { Button, Checkbox } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { REPORT_REASONS } from '../../../protocol/moderation.js';
import { ROOMS } from '../../../protocol/room.js';
import { useMay } from '../../access/use-access.js';
import { useAsk } from '../../api/ask.js';
import { Answered } from '../../parts/Answered.js';
import { Dialog } from '../../parts/Dialog.js';
import { Choice, Filters } from '../../parts/Filters.js';
import { count, counted } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { KeptNames } from '../../parts/KeptNames.js';
import { Empty, NewHint, Page } from '../../parts/Page.js';
import { plain } from '../../parts/words.js';
import { queryOf, useAddress } from '../../shell/use-address.js';
import { QueueList } from './QueueList.js';
import {
  CLAIMED,
  KIND_WORDS,
  KINDS,
  queueFilters,
  rememberQueue,
  STATUSES,
} from './queue-input.js';
import { useQueue } from './use-queue.js';

export function QueuePage() {
  const { search, change } = useAddress();
  const filters = queueFilters(search);
  const queue = useQueue(filters);
  const { order, ...which } = filters;
  const filtered = JSON.stringify(which) !== '{"status":"open"}';
  const first =
    order === 'most_reports' ? 'most reports first' : 'oldest first';
  const { pathname } = useLocation();
  useEffect(() => {
    // While another page opens, the filters are not those of the queue.
    if (pathname.endsWith('/queue')) rememberQueue(filters);
  });
  return (
    <Page
      title="Queue"
      about={queue.totals && waiting(queue.totals, filtered, first)}
      actions={<SavedViews />}
    >
      <Filters>
        <Choice
          label="Status"
          name="status"
          none="Open (all)"
          options={STATUSES.filter((it) => it !== 'open')}
          words={(it) => (it === 'settled' ? 'Closed' : plain(it))}
        />
        <Choice
          label="Order"
          name="order"
          none="Longest wait first"
          options={['most_reports']}
          words={() => 'Most reports first'}
        />
        <Choice
          label="Kind"
          name="kind"
          options={KINDS}
          words={(it) => plain(KIND_WORDS[it as Kind][0])}
        />
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

type Kind = keyof typeof KIND_WORDS;
type Totals = Readonly<Partial<Record<Kind, number>>>;

/** How many wait, and of what kinds: “3 items, oldest first (2 topics, 1 poll)”. */
function waiting(totals: Totals, filtered: boolean, first: string): string {
  const shown = Object.entries(totals).filter(([, n]) => n > 0);
  const all = shown.reduce((sum, [, n]) => sum + n, 0);
  if (all === 0) return filtered ? 'Nothing waits at all.' : '';
  const items = counted(all, 'item');
  if (filtered) return `Filtered. Without filters ${items} wait.`;
  const kinds = shown
    .map(([kind, n]) => counted(n, ...KIND_WORDS[kind as Kind]))
    .join(', ');
  return `${items}, ${first}${shown.length > 1 ? ` (${kinds})` : ''}.`;
}

function SavedViews() {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button onClick={open}>Saved views</Button>
      <Dialog title="Saved views" opened={opened} close={close}>
        <Views close={close} />
      </Dialog>
    </>
  );
}

function Views({ close }: { close: () => void }) {
  const views = useAsk('view.list', {});
  const { search: here } = useAddress();
  const go = useNavigate();
  const show = (query: string) => {
    const search = Object.fromEntries(new URLSearchParams(query));
    void go({ to: '/queue', search: search as never });
    close();
  };
  return (
    <Answered of={views} what="your views">
      {({ data }) => (
        <>
          {data.length === 0 ? (
            <p className="dim">None yet. Set filters, then save them here.</p>
          ) : null}
          <KeptNames
            kind="view"
            label="Save the current filters as"
            lost="Its filters have to be set again."
            what={{ query: queryOf(here) }}
            kept={data.map(({ name, query }) => ({
              name,
              shown: (
                <button
                  type="button"
                  className="link"
                  onClick={() => show(query)}
                >
                  <Inert text={name} />
                </button>
              ),
            }))}
          />
        </>
      )}
    </Answered>
  );
}

/** Bulks of this operator that have not ended, such as in a lost tab. */
function Unfinished() {
  const enabled = useMay('moderator');
  const { data } = useAsk('bulk.list', { mine: true, open: true }, { enabled });
  return data?.data.map(({ bulk, done, total, waiting }) => (
    <p key={bulk} className="card tight">
      {count(done)} of {count(total)} selected items are decided,{' '}
      {count(waiting)} wait.{' '}
      <Link to="/bulk/$bulk" params={{ bulk }}>
        Continue
      </Link>
    </p>
  ));
}
