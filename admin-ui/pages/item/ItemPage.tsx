import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Item, Mirror } from '../../../server/dashboard/commands/item.js';
import type { ReceivedEvent } from '../../../server/dashboard/live/events.js';
import { useAccess, useMay } from '../../access/use-access.js';
import { ask, useAsk } from '../../api/ask.js';
import { queryClient } from '../../api/query-client.js';
import { useEvents, useHints } from '../../live/use-live.js';
import { Answered, Failure } from '../../parts/Answered.js';
import { DataTable } from '../../parts/DataTable.js';
import { count, counted } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { shown } from '../../parts/invisible.js';
import { NewHint, Page, Section } from '../../parts/Page.js';
import { PollTally } from '../../parts/poll.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';
import { VoteLine } from '../../parts/VoteLine.js';
import { named, OUTCOME_WORDS, plain, todo } from '../../parts/words.js';
import { useAddress, wholeNumber } from '../../shell/use-address.js';
import { useKeys } from '../../shell/use-keys.js';
import { rememberedQueue } from '../queue/queue-input.js';
import { BodyEvidence } from './BodyEvidence.js';
import { ClaimBar } from './ClaimBar.js';
import { DecisionPanel } from './DecisionPanel.js';
import { History } from './History.js';
import { Notes } from './Notes.js';
import { PassOn } from './PassOn.js';
import { ReportEvidence } from './ReportEvidence.js';
import { SignatureEvidence } from './SignatureEvidence.js';
import { ThreadEvidence } from './ThreadEvidence.js';

/** How many items an operator steps through one by one. */
const AHEAD = 100;

function Neighbours({ subject }: { subject: string }) {
  const filters = rememberedQueue();
  const { data } = useAsk('queue.list', { ...filters, limit: AHEAD });
  const go = useNavigate();
  const rows = data?.data ?? [];
  const place = rows.findIndex((row) => row.subject === subject);
  const before = rows[place - 1]?.subject;
  const after = rows[place + 1]?.subject;
  const open = (to: string | undefined) =>
    to && void go({ to: '/item/$subject', params: { subject: to } });
  useKeys({ j: () => open(after), k: () => open(before) });
  const step = (label: string, to: string | undefined) =>
    to === undefined ? null : (
      <Link to="/item/$subject" params={{ subject: to }}>
        {label}
      </Link>
    );
  return (
    <nav className="row" aria-label="The queue">
      <Link to="/queue" search={filters as never}>
        Back to the queue
      </Link>
      {place < 0 ? null : (
        <span className="dim">
          {place + 1} of {rows.length}
          {data?.next == null ? '' : ' or more'}
        </span>
      )}
      {step('Previous', before)}
      {step(place < 0 ? 'First of the queue' : 'Next', after)}
    </nav>
  );
}

/** What a colleague has just done to the item; null for anything else. */
function newsOf(
  event: ReceivedEvent,
  { subject, board, message: { id, root_id: root, state } }: Item,
  alias?: string,
): string | null {
  if (event.kind === 'report') {
    if (event.subject !== subject) return null;
    if (event.status === 'received') return 'A report came';
    if (event.note_by === undefined || event.note_by === alias) return null;
    return `${shown(event.note_by)} changed the notes`;
  }
  // IDs of mirrored messages are their own board's.
  if (board !== null) return null;
  switch (event.kind) {
    case 'message':
      return event.root_id === root ? 'A reply came' : null;
    case 'decision':
      if (event.message_id !== id || event.operator === alias) return null;
      return `${shown(event.operator)} decided: ${todo(event.action, state === 'hidden_by_ratings')}`;
    case 'rating':
      return event.message_id === id ? 'A vote came' : null;
    case 'hidden':
      return event.message_id === id ? 'Its visibility changed' : null;
    default:
      return null;
  }
}

/** Who claims and opens it moves nothing, so it is shown at once. */
function usePresent(subject: string, alias?: string): void {
  const decides = useMay('moderator');
  useEffect(() => {
    if (decides) ask('subject.open', { subject }).catch(() => {});
  }, [subject, decides]);
  useEvents((event) => {
    if (event.kind !== 'report' || event.subject !== subject) return;
    const { claimed_by: operator, opened_by: opener, at } = event;
    queryClient.setQueryData<Item>(['item.read', { subject }], (before) => {
      if (before === undefined) return before;
      const claim =
        operator === (before.claim?.operator ?? null)
          ? before.claim
          : operator && { operator, mine: operator === alias, at };
      const others = before.openers.filter((it) => it.operator !== opener);
      const openers =
        opener === undefined || opener === alias
          ? before.openers
          : [{ operator: opener, at }, ...others];
      return { ...before, claim: claim || null, openers };
    });
  });
}

export function ItemPage() {
  const { subject = '' } = useParams({ strict: false });
  return <OneItem key={subject} subject={subject} />;
}

function OneItem({ subject }: { subject: string }) {
  const [unsealed, setUnsealed] = useState(false);
  // Read again at every visit: a decision needs the present state.
  const item = useAsk('item.read', { subject }, { gcTime: 0 });
  const sealed = useAsk(
    'item.read',
    { subject, sealed: true },
    { enabled: unsealed },
  );
  // The newest decision when the operator looked: a later one is a conflict and
  // is never overwritten silently.
  const [seen, setSeen] = useState<number | null>();
  if (seen === undefined && item.data !== undefined) {
    setSeen(item.data.last_decision_id);
  }
  const { search } = useAddress();
  const undone = wholeNumber(search.undo);
  const undo = item.data?.decisions.find(({ id }) => id === undone);
  const alias = useAccess().data?.operator?.alias;
  const decides = useMay('moderator');
  const [what, setWhat] = useState('');
  const hints = useHints(
    ['report', 'message', 'rating', 'hidden', 'decision'],
    async () => {
      const { data } = await item.refetch();
      if (data !== undefined) setSeen(data.last_decision_id);
    },
    {
      counts: (event) => {
        const news = item.data && newsOf(event, item.data, alias);
        if (news) setWhat(news);
        return Boolean(news);
      },
    },
  );
  usePresent(subject, alias);
  return (
    <Page
      title={named(subject)}
      about={<Inert text={item.data?.message.title ?? null} />}
    >
      <Neighbours subject={subject} />
      <Answered of={item} what="the evidence">
        {(it) => (
          <>
            <ClaimBar item={it} />
            <Failure error={sealed.error} />
            <NewHint {...hints} what={what} />
            <div className="split">
              <div>
                <BodyEvidence
                  item={{ ...it, sealed: sealed.data?.sealed ?? null }}
                  unseal={decides ? () => setUnsealed(true) : null}
                />
                <ReportEvidence item={it} />
                {it.board === null ? <OwnEvidence item={it} /> : null}
              </div>
              <div className="beside" id="decision">
                {it.board !== null ? (
                  <PassOn item={it} board={it.board} />
                ) : decides ? (
                  <DecisionPanel
                    key={undo?.id ?? ''}
                    item={it}
                    undo={undo}
                    seen={seen ?? null}
                    renew={(known) => {
                      if (known !== undefined) setSeen(known);
                      hints.show();
                    }}
                    looked={hints.clear}
                  />
                ) : (
                  <p className="card">
                    Your role is viewer: you see everything but reporters’
                    texts, and a moderator decides.
                  </p>
                )}
              </div>
            </div>
          </>
        )}
      </Answered>
    </Page>
  );
}

function OwnEvidence({ item }: { item: Item }) {
  return (
    <>
      <PollEvidence poll={item.poll} />
      <DecisionHistory decisions={item.decisions} />
      <Notes item={item} />
      <History subject={item.subject} />
      <VoteEvidence votes={item.votes} />
      <ThreadEvidence item={item} />
      <SignatureEvidence item={item} />
      <Mirrors mirrors={item.mirrors} />
    </>
  );
}

function VoteEvidence({ votes }: Pick<Item, 'votes'>) {
  return (
    <Section title="Votes over time">
      {votes.length === 0 ? (
        <p className="dim">Nobody has voted.</p>
      ) : (
        <p className="tight">
          {counted(votes.filter(({ value }) => value > 0).length, 'vote')} for,{' '}
          {votes.filter(({ value }) => value < 0).length} against. Votes have a
          time and a sign here, never a network.
        </p>
      )}
      <VoteLine votes={votes} />
    </Section>
  );
}

function DecisionHistory({ decisions }: Pick<Item, 'decisions'>) {
  return (
    <Section title="Earlier decisions">
      {decisions.length === 0 ? (
        <p className="dim">None.</p>
      ) : (
        <ol className="plain">
          {decisions.map((it) => (
            <li key={it.id}>
              <p className="row tight">
                <Tag tone={it.superseded_by === null ? 'info' : 'calm'}>
                  {todo(it.action, it.stays_hidden)}
                </Tag>
                <span>
                  <Inert text={it.operator} />, {plain(it.reason).toLowerCase()}
                  {it.outcome === null ? '' : `, ${OUTCOME_WORDS[it.outcome]}`}
                </span>
                <span className="dim">
                  <Time at={it.decided_at} />, number {it.id}, log index{' '}
                  {it.log_index}
                </span>
              </p>
              <Inert text={it.explanation} />
              {it.private_note === null ? null : (
                <p className="dim">
                  Private note: <Inert text={it.private_note} />
                </p>
              )}
              {it.superseded_by === null ? null : (
                <p className="dim">Reversed by decision {it.superseded_by}.</p>
              )}
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}

/** Linked boards that have acknowledged the removal or last decision. */
function Mirrors({ mirrors }: Pick<Item, 'mirrors'>) {
  if (mirrors.length === 0) return null;
  return (
    <Section title="Linked boards">
      <DataTable
        caption="Boards that mirror this one"
        data={mirrors}
        rowId={({ board }) => board}
        columns={{
          Board: ({ board, status }) => (
            <>
              <Inert text={board} />
              {status === 'active' ? '' : ` (${status})`}
            </>
          ),
          'Has the last decision': (it) => <Acknowledgement {...it} />,
          'Last answer': ({ acked_at }) => <Time at={acked_at} none="never" />,
          'Entries confirmed': ({ acked_size }) => count(acked_size),
        }}
        figures={['Entries confirmed']}
      />
    </Section>
  );
}

function Acknowledgement({ acknowledged, acked_size: size }: Mirror) {
  if (size === 0) return <Tag>Keeps no copy of ours</Tag>;
  if (acknowledged) return <Tag tone="good">Acknowledged</Tag>;
  return <Tag tone="warn">Not yet</Tag>;
}

function PollEvidence({ poll: it }: Pick<Item, 'poll'>) {
  if (it === null) return null;
  return (
    <Section
      title={`Poll ${it.id}`}
      actions={<Tag tone="info">{it.state}</Tag>}
    >
      <p className="strong">
        <Inert text={it.question ?? 'The question is removed.'} />
      </p>
      {it.proposal === undefined ? null : (
        <p>
          Proposal ({it.proposal.kind})
          {it.proposal.summary === null ? '' : ': '}
          <Inert text={it.proposal.summary} />
        </p>
      )}
      <p className="dim">
        Closes <Time at={it.closes_at} />
      </p>
      <PollTally poll={it} />
    </Section>
  );
}
