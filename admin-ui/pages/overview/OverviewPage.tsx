import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import type { Overview } from '../../../server/dashboard/commands/overview.js';
import type { ResponseFigures } from '../../../server/dashboard/commands/response.js';
import { Answered, Loading } from '../../parts/Answered.js';
import { Boundary } from '../../parts/Boundary.js';
import { BACKUP, CommandLine, IN_CHECKOUT } from '../../parts/CopyButton.js';
import { DataTable } from '../../parts/DataTable.js';
import { count, counted } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { Facts, Page, Section } from '../../parts/Page.js';
import { Tag } from '../../parts/Tag.js';
import { span, Time } from '../../parts/Time.js';
import { todo } from '../../parts/words.js';
import { useOverview } from '../../shell/use-overview.js';
import { behindText, peerTone } from '../mesh/peers.js';
import { Alerts } from './Alerts.js';
import { LivePosts } from './LivePosts.js';

const Charts = lazy(() => import('./Charts.js'));

export function OverviewPage() {
  const overview = useOverview();
  return (
    <Page title="Overview">
      <Answered of={overview} what="the figures">
        {(it) => (
          <>
            <FirstRun of={it} />
            <FirstSteps of={it} />
            <div id="alerts">
              <Alerts alerts={it.alerts} />
            </div>
            <NowFigures of={it} />
            <p className="dim tight">
              Updated <Time at={it.at} />
            </p>
            <Response of={it.response} />
            <div className="pair">
              <PeerLags of={it} />
              <LivePosts latest={it.latest} />
            </div>
          </>
        )}
      </Answered>
      <Boundary>
        <Suspense fallback={<Loading what="the charts" />}>
          <Charts />
        </Suspense>
      </Boundary>
    </Page>
  );
}

function FirstRun({ of: { posts, peers } }: { of: Overview }) {
  if (posts.day > 0 || peers.length > 0) return null;
  return (
    <p className="card">
      Nothing was posted in the last day. On a new board: invite a second
      operator under <Link to="/operators">Operators</Link>, link another board
      under <Link to="/mesh">Mesh</Link>, and look at the backups under{' '}
      <Link to="/system">System</Link>.
    </p>
  );
}

const WORDS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  alerts: ['active alert', 'active alerts'],
  peers: ['linked board has a problem', 'linked boards have problems'],
  reports: ['item waits in the queue', 'items wait in the queue'],
  polls_awaiting: ['proposal awaits a decision', 'proposals await a decision'],
  hidden_topics: ['hidden topic to review', 'hidden topics to review'],
  unconfirmed: ['linked board to confirm', 'linked boards to confirm'],
};

/** Shown without a number, with what does it. */
const CARE: Readonly<Record<string, readonly [words: string, how: string]>> = {
  schema: [
    'The database belongs to another release: start the same release everywhere',
    'reserve-board doctor',
  ],
  backups: ['No verified backup is younger than a day: make one', BACKUP],
  node: [
    'This release of Node.js lacks security fixes: install a newer one',
    'reserve-board doctor',
  ],
  contact: [
    'Readers cannot reach you: set BOARD_CONTACT in .env and start again',
    'BOARD_CONTACT=operator@board.example',
  ],
};

function FirstSteps({ of: { first } }: { of: Overview }) {
  return (
    <Section title="What to do first">
      {first.length === 0 ? (
        <p className="tight">Nothing to do.</p>
      ) : (
        <ol className="first">
          {first.map(({ what, count, page }) => {
            const [one = what, many = what] = WORDS[what] ?? [];
            const [care, how] = CARE[what] ?? [];
            const words = care ?? counted(count, one, many);
            return (
              <li key={what}>
                {what === 'alerts' ? (
                  <a href="#alerts">{words}</a>
                ) : (
                  <Link to={`/${page}` as '/queue'}>{words}</Link>
                )}
                {how === undefined ? null : (
                  <CommandLine
                    text={how}
                    what={what === 'contact' ? 'line' : 'command'}
                  />
                )}
              </li>
            );
          })}
        </ol>
      )}
      {first.some(({ what }) => what in CARE) ? (
        <p className="dim tight">{IN_CHECKOUT}</p>
      ) : null}
    </Section>
  );
}

function PeerLags({ of: { peers } }: { of: Overview }) {
  return (
    <Section title="Linked boards">
      <DataTable
        caption="Linked boards and how far behind their copies are"
        none="No board is linked."
        data={peers}
        rowId={({ name }) => name}
        columns={{
          Board: ({ name }) => (
            <Link to="/mesh" search={{ board: name } as never}>
              <Inert text={name} />
            </Link>
          ),
          Status: (it) => <Tag tone={peerTone(it.status)}>{it.status}</Tag>,
          Behind: (it) => behindText(it.standstill, it.lag_ms),
          'Texts only here': ({ only_here: texts }) => count(texts),
        }}
      />
    </Section>
  );
}

function NowFigures({ of: it }: { of: Overview }) {
  const { posts, votes, readers, reports, polls } = it;
  const waiting = (
    <>
      {count(reports.in_review)} in review, oldest{' '}
      <Time at={reports.oldest_at} />
    </>
  );
  const figures: [name: string, value: number, more?: ReactNode][] = [
    ['Posts this hour', posts.hour, `${count(posts.day)} in a day`],
    ['Votes this hour', votes.hour, `${count(votes.day)} in a day`],
    [
      'Live connections',
      readers.waiting,
      `${count(readers.sessions_today)} sessions today`,
    ],
    [
      'Failed today (5xx)',
      it.errors_today.failed,
      `${count(it.errors_today.refused)} refused (4xx)`,
    ],
    [
      'Open reports',
      reports.received + reports.in_review,
      reports.oldest_at === null ? 'none waits' : waiting,
    ],
    [
      'Hidden topics',
      it.hidden_topics,
      `${count(it.hidden_to_review)} to review`,
    ],
    ['Open polls', polls.open, `${count(polls.awaiting)} await a decision`],
  ];
  return (
    <dl className="figures">
      {figures.map(([name, value, more]) => (
        <div key={name} className="figure-box">
          <dt>{name}</dt>
          <dd>
            {count(value)}
            {more === undefined ? null : <div className="dim">{more}</div>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

type Spread = ResponseFigures['to_decision'];

/** “median 3 min, nine of ten within 2 h”. */
function spread({ median_ms: median, p90_ms: p90 }: Spread): string {
  if (median === null || p90 === null) return 'nothing yet';
  return `median ${span(median)}, nine of ten within ${span(p90)}`;
}

/** Of the last 30 days. */
function Response({ of: it }: { of: ResponseFigures }) {
  if (it.reports === 0 && it.decisions.length === 0) return null;
  const { hour, day, week, older } = it.open_by_age;
  return (
    <Section title="Answers to reports, 30 days">
      <div className="pair">
        <Facts
          of={{
            'Filed in this time': `${count(it.reports)}, of these ${count(it.claimed)} claimed and ${count(it.settled)} closed`,
            'Time to first claim': spread(it.to_first_claim),
            'Time to decision': spread(it.to_decision),
            'All open now, by age':
              hour + day + week + older === 0
                ? 'none is open'
                : `${count(hour)} up to an hour, ${count(day)} up to a day, ${count(week)} up to a week, ${count(older)} older`,
            Reversed: counted(it.reversals, 'decision'),
          }}
        />
        <DataTable
          caption="Decisions by action and operator"
          none="No decision in this time."
          data={it.decisions}
          rowId={(it) => `${it.action} ${it.stays_hidden} ${it.operator}`}
          columns={{
            'Action and operator': ({ action, stays_hidden, operator }) => (
              <>
                {todo(action, stays_hidden)}, <Inert text={operator} />
              </>
            ),
            Decisions: ({ count: n }) => count(n),
          }}
          figures={['Decisions']}
        />
      </div>
    </Section>
  );
}
