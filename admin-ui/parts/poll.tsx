import type { PollView } from '../../server/polls/index.js';
import { DataTable } from './DataTable.js';
import { counted } from './figures.js';
import { Inert } from './Inert.js';

/** Options without text are shown by number. */
export function PollTally({
  poll: { id, options, tally },
}: {
  poll: PollView;
}) {
  const rows = tally.counts.map((ballots, n) => ({
    option: options[n] ?? `Option ${n + 1}`,
    ballots,
  }));
  return (
    <>
      <DataTable
        caption={`Ballots of poll ${id}`}
        data={rows}
        rowId={({ option }) => option}
        columns={{
          Option: ({ option }) => <Inert text={option} />,
          Ballots: ({ ballots }) => ballots,
        }}
        figures={['Ballots']}
      />
      <p className="dim">
        {counted(tally.voters, 'ballot')}
        {tally.result === null ? '' : `, result: ${tally.result}`}
      </p>
    </>
  );
}
