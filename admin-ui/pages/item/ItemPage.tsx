import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { DecisionSeen } from '../../../server/dashboard/commands/decisions.js';
import type {
  Item,
  Mirror,
  VoteSeen,
} from '../../../server/dashboard/commands/item.js';
import { useAccess, useMay } from '../../access/use-access.js';
import { useAsk } from '../../api/ask.js';
import type { ReceivedEvent } from '../../live/live-socket.js';
import { useHints } from '../../live/use-live.js';
import { Answered, Failure } from '../../parts/Answered.js';
import { DataTable } from '../../parts/DataTable.js';
import { count, counted } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { NewHint } from '../../parts/NewHint.js';
import { Page, Section } from '../../parts/Page.js';
import { PollTally, pollOf } from '../../parts/poll.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';
import { VoteLine } from '../../parts/VoteLine.js';
import { ACTION_WORDS, plain } from '../../parts/words.js';
import { useAddress } from '../../shell/use-address.js';
import { useKeys } from '../../shell/use-keys.js';
import { rememberedQueue } from '../queue/queue-input.js';
import { BodyEvidence } from './BodyEvidence.js';
import { ClaimBar } from './ClaimBar.js';
import { DecisionPanel } from './DecisionPanel.js';
import { History } from './History.js';
import { Notes } from './Notes.js';
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

function isAbout(event: ReceivedEvent, item: Item, alias?: string): boolean {
  switch (event.kind) {
    case 'report':
      if (event.subject !== item.subject) return false;
      return (event.note_by ?? event.claimed_by) !== alias;
    case 'message':
      return event.root_id === item.message.root_id;
    case 'decision':
      return event.message_id === item.message.id && event.operator !== alias;
    case 'rating':
    case 'hidden':
      return event.message_id === item.message.id;
    default:
      return false;
  }
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
  const alias = useAccess().data?.operator?.alias;
  const decides = useMay('moderator');
  const hints = useHints(
    ['report', 'message', 'rating', 'hidden', 'decision'],
    async () => {
      const { data } = await item.refetch();
      if (data !== undefined) setSeen(data.last_decision_id);
    },
    {
      counts: (event) =>
        item.data !== undefined && isAbout(event, item.data, alias),
    },
  );
  return (
    <Page
      title={plain(subject.replace(':', ' '))}
      about={<Inert text={item.data?.message.title ?? null} />}
    >
      <Neighbours subject={subject} />
      <Answered of={item} what="the evidence">
        {(it) => (
          <>
            <ClaimBar item={it} />
            <Failure error={sealed.error} />
            <NewHint {...hints} />
            <div className="split">
              <div>
                <BodyEvidence
                  item={{ ...it, sealed: sealed.data?.sealed ?? null }}
                  unseal={decides ? () => setUnsealed(true) : null}
                />
                <ReportEvidence item={it} />
                <PollEvidence poll={it.poll} />
                <DecisionHistory decisions={it.decisions} />
                <Notes item={it} />
                <History subject={subject} />
                <VoteEvidence votes={it.votes} />
                <ThreadEvidence item={it} />
                <SignatureEvidence item={it} />
                <Mirrors mirrors={it.mirrors} />
              </div>
              <div className="beside" id="decision">
                {decides ? (
                  <DecisionPanel
                    key={search.undo ?? ''}
                    item={it}
                    seen={seen ?? null}
                    renew={(known) => {
                      if (known !== undefined) setSeen(known);
                      hints.show();
                    }}
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

function VoteEvidence({ votes }: { votes: readonly VoteSeen[] }) {
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

type Props = { decisions: readonly DecisionSeen[] };

function DecisionHistory({ decisions }: Props) {
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
                  {ACTION_WORDS[it.action]}
                </Tag>
                <span>
                  <Inert text={it.operator} />, {plain(it.reason).toLowerCase()}
                  {it.outcome === null ? '' : `, ${it.outcome}`}
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
                <p className="dim">
                  Taken back by decision {it.superseded_by}.
                </p>
              )}
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}

/** Linked boards that have acknowledged the removal or last decision. */
function Mirrors({ mirrors }: { mirrors: readonly Mirror[] }) {
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
          'Acknowledged size': ({ acked_size }) => count(acked_size),
        }}
        figures={['Acknowledged size']}
      />
    </Section>
  );
}

function Acknowledgement({ acknowledged, acked_size: size }: Mirror) {
  if (size === 0) return <Tag>Keeps no copy of ours</Tag>;
  if (acknowledged) return <Tag tone="good">Acknowledged</Tag>;
  return <Tag tone="warn">Not yet</Tag>;
}

function PollEvidence({ poll }: { poll: unknown }) {
  const it = pollOf(poll);
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
