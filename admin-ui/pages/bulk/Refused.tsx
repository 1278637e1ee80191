import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import type {
  BulkItemSeen,
  BulkSeen,
} from '../../../server/dashboard/commands/bulk.js';
import type { PublicDecision } from '../../../server/moderation/index.js';
import { ask } from '../../api/ask.js';
import { DataTable } from '../../parts/DataTable.js';
import { Inert } from '../../parts/Inert.js';
import { Section } from '../../parts/Page.js';
import { PagedList, usePages } from '../../parts/PagedList.js';
import { ACTION_WORDS } from '../../parts/words.js';
import type { Chosen } from '../queue/use-selection.js';

const PAGE = 1000;

/** The decision that another operator made meanwhile. */
function currentOf({ error }: BulkItemSeen): PublicDecision | null {
  return (error?.current ?? null) as PublicDecision | null;
}

/** Counts the decision that came in between as seen. */
function chosenOf(item: BulkItemSeen): Chosen {
  const { subject, seen } = item;
  return { subject, seen: currentOf(item)?.id ?? seen };
}

type Props = {
  bulk: BulkSeen;
  keep: (chosen: readonly Chosen[]) => void;
};

export function Refused({ bulk: { bulk, mine, state }, keep }: Props) {
  const list = usePages(['bulk.read', bulk, 'left'], (after?: number) =>
    ask('bulk.read', {
      ...{ bulk, limit: PAGE, after },
      state: state === 'cancelled' ? ('waiting' as const) : 'refused',
    }),
  );
  const { rows, query } = list;
  useEffect(() => {
    if (mine && query.isSuccess) keep(rows.map(chosenOf));
  }, [mine, query.isSuccess, rows, keep]);
  if (query.isSuccess && rows.length === 0) return null;
  return (
    <Section title={state === 'cancelled' ? 'Not decided' : 'Refused'}>
      <p className="tight">
        These stay selected. <Link to="/bulk">Decide for them again</Link>.
      </p>
      <PagedList list={list} what="what was refused" empty={null}>
        {(some) => (
          <DataTable
            caption="What was not decided"
            data={some}
            rowId={({ n }) => String(n)}
            columns={{
              Item: ({ subject }) => (
                <Link to="/item/$subject" params={{ subject }}>
                  {subject}
                </Link>
              ),
              Why: ({ error }) =>
                error === null ? 'Cancelled before its turn.' : error.detail,
              'Decided by another': (item) => <Theirs of={currentOf(item)} />,
            }}
          />
        )}
      </PagedList>
    </Section>
  );
}

function Theirs({ of: it }: { of: PublicDecision | null }) {
  if (it === null) return '–';
  return (
    <>
      {ACTION_WORDS[it.action]}, <Inert text={it.operator} />:{' '}
      <Inert text={it.explanation} />
    </>
  );
}
