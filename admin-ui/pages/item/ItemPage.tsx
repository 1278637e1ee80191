import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type {
  Item,
  VoteSeen,
} from '../../../server/dashboard/schemas/views.js';
import { useAccess, useMay } from '../../access/use-access.js';
import { useAsk } from '../../api/use-ask.js';
import type { ReceivedEvent } from '../../live/live-socket.js';
import { useHints } from '../../live/use-live.js';
import { Answered } from '../../parts/Answered.js';
import { Failure } from '../../parts/Failure.js';
import { counted } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { NewHint } from '../../parts/NewHint.js';
import { Page } from '../../parts/Page.js';
import { Section } from '../../parts/Section.js';
import { VoteLine } from '../../parts/VoteLine.js';
import { plain } from '../../parts/words.js';
import { useAddress } from '../../shell/use-address.js';
import { BodyEvidence } from './BodyEvidence.js';
import { ClaimBar } from './ClaimBar.js';
import { DecisionHistory } from './DecisionHistory.js';
import { DecisionPanel } from './DecisionPanel.js';
import { History } from './History.js';
import { Mirrors } from './Mirrors.js';
import { Neighbours } from './Neighbours.js';
import { Notes } from './Notes.js';
import { PollEvidence } from './PollEvidence.js';
import { ReportEvidence } from './ReportEvidence.js';
import { SignatureEvidence } from './SignatureEvidence.js';
import { ThreadEvidence } from './ThreadEvidence.js';

/** Whether an event is about what this page shows. */
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

/** One subject: the evidence, and beside it the decision. */
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
  // The newest decision that was there when the operator looked: what comes
  // later, seen or not, is a conflict and never overwritten in silence.
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
