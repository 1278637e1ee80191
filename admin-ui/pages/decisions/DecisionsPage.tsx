import { useMemo } from 'react';
import { ask } from '../../api/ask.js';
import { useHints } from '../../live/use-live.js';
import { Answered } from '../../parts/Answered.js';
import { Empty } from '../../parts/Empty.js';
import { MoreButton } from '../../parts/MoreButton.js';
import { NewHint } from '../../parts/NewHint.js';
import { Page } from '../../parts/Page.js';
import { usePages } from '../../parts/use-pages.js';
import { type Search, useAddress } from '../../shell/use-address.js';
import { DecisionFilterBar } from './DecisionFilterBar.js';
import { DecisionTable } from './DecisionTable.js';
import { decisionFilters, exportUrl } from './decision-filters.js';

/** Everything that was decided, newest first; nothing is ever edited. */
export function DecisionsPage() {
  const { search } = useAddress();
  const text = JSON.stringify(search);
  const filters = useMemo(
    () => decisionFilters(JSON.parse(text) as Search),
    [text],
  );
  const list = usePages(['decision.list', filters], (before: number | null) =>
    ask('decision.list', {
      ...filters,
      ...(before === null ? {} : { before }),
      limit: 100,
    }),
  );
  const hints = useHints(['decision']);
  return (
    <Page
      title="Decisions"
      about="To undo one, record another that takes it back."
      actions={(['csv', 'json'] as const).map((format) => (
        <a key={format} href={exportUrl(filters, format)} download>
          Export {format.toUpperCase()}
        </a>
      ))}
    >
      <DecisionFilterBar />
      <NewHint
        count={hints.count}
        show={() => {
          hints.clear();
          list.renew();
        }}
      />
      <Answered of={list.query} what="the decisions">
        {() =>
          list.rows.length === 0 ? (
            <Empty title="No decision matches." />
          ) : (
            <>
              <DecisionTable rows={list.rows} />
              <MoreButton query={list.query} />
            </>
          )
        }
      </Answered>
    </Page>
  );
}
