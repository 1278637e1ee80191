import { useAsk } from '../../api/use-ask.js';
import { useHints } from '../../live/use-live.js';
import { Answered } from '../../parts/Answered.js';
import { NewHint } from '../../parts/NewHint.js';
import { Page } from '../../parts/Page.js';
import { useOverview } from '../../shell/use-overview.js';
import { Alerts } from '../overview/Alerts.js';
import { Backups } from './Backups.js';
import { JobTable } from './JobTable.js';
import { LimitTable } from './LimitTable.js';
import { LogHead } from './LogHead.js';
import { TableSizes } from './TableSizes.js';
import { Versions } from './Versions.js';

/** What the node runs on, and whether its own work is done. */
export function SystemPage() {
  const system = useAsk('system.read', {});
  const overview = useOverview();
  const hints = useHints(['job', 'alert']);
  return (
    <Page title="System">
      <NewHint
        count={hints.count}
        show={() => {
          hints.clear();
          void system.refetch();
        }}
      />
      <Alerts alerts={overview.data?.alerts ?? []} />
      <Answered of={system} what="the state of the node">
        {(it) => (
          <>
            <Versions system={it} />
            <Backups backups={it.backups} />
            <LogHead log={it.log} />
            <JobTable jobs={it.jobs} />
            <LimitTable limits={it.limits} />
            <TableSizes tables={it.tables} />
          </>
        )}
      </Answered>
    </Page>
  );
}
