import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { Overview } from '../../../server/dashboard/schemas/views.js';
import { Answered } from '../../parts/Answered.js';
import { Loading } from '../../parts/Loading.js';
import { Page } from '../../parts/Page.js';
import { Time } from '../../parts/Time.js';
import { useOverview } from '../../shell/use-overview.js';
import { Alerts } from './Alerts.js';
import { FirstSteps } from './FirstSteps.js';
import { LivePosts } from './LivePosts.js';
import { NowFigures } from './NowFigures.js';
import { PeerLags } from './PeerLags.js';

const Charts = lazy(() => import('./Charts.js'));

/** How the board is, and what to do first. */
export function OverviewPage() {
  const overview = useOverview();
  return (
    <Page title="Overview">
      <Answered of={overview} what="the figures">
        {(it) => (
          <>
            <FirstRun of={it} />
            <FirstSteps of={it} />
            <Alerts alerts={it.alerts} />
            <NowFigures of={it} />
            <p className="dim tight">
              Figures of <Time at={it.at} />.
            </p>
            <div className="pair">
              <PeerLags peers={it.peers} />
              <LivePosts latest={it.latest} />
            </div>
          </>
        )}
      </Answered>
      <Suspense fallback={<Loading what="the charts" />}>
        <Charts />
      </Suspense>
    </Page>
  );
}

/** Nothing has happened yet: what to expect, and what to set up. */
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
