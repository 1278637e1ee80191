import { useMay } from '../../access/use-access.js';
import { ask } from '../../api/ask.js';
import { Answered } from '../../parts/Answered.js';
import { Empty } from '../../parts/Empty.js';
import { MoreButton } from '../../parts/MoreButton.js';
import { Page } from '../../parts/Page.js';
import { usePages } from '../../parts/use-pages.js';
import { DraftForm } from './DraftForm.js';
import { ReportCard } from './ReportCard.js';
import { UsefulnessCharts } from './UsefulnessCharts.js';

/** Was the board of use? Figures by the node, and an honest note. */
export function UsefulnessPage() {
  const decides = useMay('moderator');
  const list = usePages(['usefulness.list'], (before: number | null) =>
    ask('usefulness.list', before === null ? {} : { before }),
  );
  return (
    <Page
      title="Usefulness"
      about="The node computes the figures, an operator adds a note, an admin publishes. What is published is never changed."
    >
      {decides ? <DraftForm done={list.renew} /> : null}
      <Answered of={list.query} what="the reports">
        {() =>
          list.rows.length === 0 ? (
            <Empty title="No report yet.">
              Begin with the last whole month.
            </Empty>
          ) : (
            <>
              <UsefulnessCharts reports={list.rows} />
              {list.rows.map((report) => (
                <ReportCard
                  key={report.id}
                  report={report}
                  renew={list.renew}
                />
              ))}
              <MoreButton query={list.query} />
            </>
          )
        }
      </Answered>
    </Page>
  );
}
