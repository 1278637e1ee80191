import { Link } from '@tanstack/react-router';
import {
  MODERATION_ACTIONS,
  MODERATION_REASONS,
  type ModerationAction,
} from '../../../protocol/moderation.js';
import { ROOMS } from '../../../protocol/room.js';
import type { DecisionSeen } from '../../../server/dashboard/commands/decisions.js';
import { useMay } from '../../access/use-access.js';
import { ask } from '../../api/ask.js';
import { useHints } from '../../live/use-live.js';
import type { Columns } from '../../parts/DataTable.js';
import { Choice, Filters, Typed } from '../../parts/Filters.js';
import { Inert } from '../../parts/Inert.js';
import { Empty, exportsOf, NewHint, Page } from '../../parts/Page.js';
import { PagedTable, usePages } from '../../parts/PagedList.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';
import { named, OUTCOME_WORDS, plain, todo } from '../../parts/words.js';
import {
  oneOf,
  queryOf,
  type Search,
  useAddress,
  wholeNumber,
} from '../../shell/use-address.js';

const DAY_MS = 86_400_000;

/** Start of a UTC day; `text` is a date field's value. */
function dayStart(text: string | undefined): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text ?? '')) return undefined;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return ms >= 0 ? ms : undefined;
}

/** `to` is a day, and counts as a whole. */
function decisionFilters(search: Search) {
  const last = dayStart(search.to);
  return {
    action: oneOf(search.action, MODERATION_ACTIONS),
    reason: oneOf(search.reason, MODERATION_REASONS),
    operator: search.operator?.trim() || undefined,
    room: oneOf(search.room, ROOMS),
    message_id: wholeNumber(search.message_id),
    from: dayStart(search.from),
    to: last === undefined ? undefined : last + DAY_MS,
  };
}

export function DecisionsPage() {
  const filters = decisionFilters(useAddress().search);
  const list = usePages(['decision.list', filters], (before?: number) =>
    ask('decision.list', { ...filters, before, limit: 100 }),
  );
  const hints = useHints(['decision'], list.renew);
  return (
    <Page
      title="Decisions"
      about="To reverse one, record another."
      actions={exportsOf(`do/decisions?${queryOf(filters)}&`)}
    >
      <Filters>
        <Choice
          label="Action"
          name="action"
          options={MODERATION_ACTIONS}
          words={(it) => todo(it as ModerationAction)}
        />
        <Choice label="Reason" name="reason" options={MODERATION_REASONS} />
        <Choice label="Room" name="room" options={ROOMS} />
        <Typed label="Operator’s alias" name="operator" />
        <Typed label="Message" name="message_id" />
        <Typed label="From (UTC day)" name="from" type="date" />
        <Typed label="To (UTC day)" name="to" type="date" />
      </Filters>
      <NewHint {...hints} />
      <PagedTable
        list={list}
        what="the decisions"
        empty={<Empty title="No decision matches." />}
        caption="Decisions, newest first"
        rowId={({ id }) => String(id)}
        columns={COLUMNS}
        figures={['Number']}
      />
    </Page>
  );
}

const COLUMNS: Columns<DecisionSeen> = {
  Number: ({ id }) => id,
  When: ({ decided_at }) => <Time at={decided_at} />,
  Decision: ({ action, outcome, stays_hidden }) => (
    <Tag tone="info">
      {todo(action, stays_hidden)}
      {outcome === null ? '' : `: ${OUTCOME_WORDS[outcome]}`}
    </Tag>
  ),
  Reason: ({ reason }) => plain(reason),
  About: (it) => (
    <>
      <Link to="/item/$subject" params={{ subject: subjectOf(it) }}>
        {named(subjectOf(it))}
      </Link>{' '}
      <Inert text={it.title} />
    </>
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
  'Still applies': (it) => <Standing of={it} />,
};

function subjectOf({ message_id, poll_id }: DecisionSeen): string {
  return poll_id === null ? `message:${message_id}` : `poll:${poll_id}`;
}

function Standing({ of: it }: { of: DecisionSeen }) {
  const may = useMay('moderator');
  const { id, superseded_by: by, supersedes } = it;
  if (by !== null) return `No, reversed by ${by}`;
  return (
    <>
      Yes{supersedes === null ? '' : `, reverses ${supersedes}`}
      {may ? (
        <>
          {' '}
          <Link
            to="/item/$subject"
            params={{ subject: subjectOf(it) }}
            search={{ undo: String(id) } as never}
            aria-label={`Reverse decision ${id}`}
            className="nowrap"
          >
            Reverse
          </Link>
        </>
      ) : null}
    </>
  );
}
