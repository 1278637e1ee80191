import { DataTable } from './DataTable.js';
import { Inert } from './Inert.js';

/** What pages show of a poll, as the public reads give it. */
export type Poll = {
  id: number;
  type: string;
  /** Null once the topic is removed. */
  question: string | null;
  options: string[];
  proposal?: { kind: string; summary: string | null };
  state: 'open' | 'closed';
  close_reason: string | null;
  closes_at: string;
  tally: { counts: number[]; voters: number; result: string | null };
  decision: {
    outcome: string;
    explanation?: string;
    decided_at: string;
  } | null;
};

/** A poll of an answer; null where there is none. */
export function pollOf(value: unknown): Poll | null {
  if (typeof value !== 'object' || value === null) return null;
  return 'question' in value ? (value as Poll) : null;
}

/** The votes by option; without its text an option goes by its number. */
export function PollTally({ poll: { id, options, tally } }: { poll: Poll }) {
  const rows = tally.counts.map((votes, n) => ({
    option: options[n] ?? `Option ${n + 1}`,
    votes,
  }));
  return (
    <>
      <DataTable
        caption={`Votes of poll ${id}`}
        data={rows}
        rowId={({ option }) => option}
        columns={{
          Option: ({ option }) => <Inert text={option} />,
          Votes: ({ votes }) => votes,
        }}
        figures={['Votes']}
      />
      <p className="dim">
        {tally.voters} voters
        {tally.result === null ? '' : `, result: ${tally.result}`}
      </p>
    </>
  );
}
