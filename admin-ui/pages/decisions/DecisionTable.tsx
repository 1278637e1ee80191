import { Link } from '@tanstack/react-router';
import type { DecisionSeen } from '../../../server/dashboard/commands/decisions.js';
import { useMay } from '../../access/use-access.js';
import { type Columns, DataTable } from '../../parts/DataTable.js';
import { Inert } from '../../parts/Inert.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';
import { ACTION_WORDS, plain } from '../../parts/words.js';

const COLUMNS: Columns<DecisionSeen> = {
  Number: ({ id }) => id,
  When: ({ decided_at }) => <Time at={decided_at} />,
  Decision: ({ action, outcome }) => (
    <Tag tone="info">
      {ACTION_WORDS[action]}
      {outcome === null ? '' : `: ${outcome}`}
    </Tag>
  ),
  Reason: ({ reason }) => plain(reason),
  About: (it) => (
    <Link to="/item/$subject" params={{ subject: subjectOf(it) }}>
      {subjectOf(it)}
    </Link>
  ),
  Room: ({ room }) => room,
  Operator: ({ operator }) => <Inert text={operator} />,
  Explanation: ({ explanation, private_note: note }) => (
    <>
      <Inert text={explanation} />
      {note === null ? null : (
        <p className="dim tight">
          Private: <Inert text={note} />
        </p>
      )}
    </>
  ),
  'In force': (it) => <Standing of={it} />,
};

function subjectOf({ message_id, poll_id }: DecisionSeen): string {
  return poll_id === null ? `message:${message_id}` : `poll:${poll_id}`;
}

function Standing({ of: it }: { of: DecisionSeen }) {
  const may = useMay('moderator');
  const { id, superseded_by: by, supersedes } = it;
  if (by !== null) return `No, taken back by ${by}`;
  return (
    <>
      Yes{supersedes === null ? '' : `, takes back ${supersedes}`}
      {may ? (
        <>
          {' '}
          <Link
            to="/item/$subject"
            params={{ subject: subjectOf(it) }}
            search={{ undo: String(id) } as never}
            aria-label={`Take back decision ${id}`}
            className="nowrap"
          >
            Take back
          </Link>
        </>
      ) : null}
    </>
  );
}

export function DecisionTable({ rows }: { rows: readonly DecisionSeen[] }) {
  return (
    <DataTable
      caption="Decisions, newest first"
      data={rows}
      rowId={({ id }) => String(id)}
      columns={COLUMNS}
      figures={['Number']}
    />
  );
}
