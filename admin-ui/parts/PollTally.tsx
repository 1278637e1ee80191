import { DataTable } from './DataTable.js';
import { Inert } from './Inert.js';
import { countsOf, type Poll } from './poll-shape.js';

/** The votes of a poll by option. */
export function PollTally({ poll }: { poll: Poll }) {
  return (
    <>
      <DataTable
        caption={`Votes of poll ${poll.id}`}
        data={countsOf(poll)}
        rowId={([option]) => option}
        columns={[
          { head: 'Option', cell: ([option]) => <Inert text={option} /> },
          { head: 'Votes', cell: ([, votes]) => votes, figure: true },
        ]}
      />
      <p className="dim">
        {poll.tally.voters} voters
        {poll.tally.result === null ? '' : `, result: ${poll.tally.result}`}
      </p>
    </>
  );
}
