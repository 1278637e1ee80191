import type { PollOutcome } from '../../protocol/moderation.js';
import { DataTable } from './DataTable.js';
import { counted } from './figures.js';
import { Inert } from './Inert.js';

export type Poll = {
  id: number;
  type: string;
  question: string | null;
  options: string[];
  proposal?: { kind: string; summary: string | null };
  state: 'open' | 'closed';
  close_reason: string | null;
  closes_at: string;
  tally: { counts: number[]; voters: number; result: string | null };
  decision: {
    outcome: PollOutcome;
    explanation?: string;
    decided_at: string;
  } | null;
};

export function pollOf(value: unknown): Poll | null {
  if (typeof value !== 'object' || value === null) return null;
  return 'question' in value ? (value as Poll) : null;
}

/** Options without text are shown by number. */
export function PollTally({ poll: { id, options, tally } }: { poll: Poll }) {
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
