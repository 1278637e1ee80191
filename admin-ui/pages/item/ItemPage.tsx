import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { Item } from '../../../server/dashboard/schemas/views.js';
import { useAccess, useMay } from '../../access/use-access.js';
import { useAsk } from '../../api/use-ask.js';
import type { ReceivedEvent } from '../../live/live-socket.js';
import { useHints } from '../../live/use-live.js';
import { Answered } from '../../parts/Answered.js';
import { Failure } from '../../parts/Failure.js';
import { NewHint } from '../../parts/NewHint.js';
import { Page } from '../../parts/Page.js';
import { useAddress } from '../../shell/use-address.js';
import { ClaimBar } from './ClaimBar.js';
import { DecisionPanel } from './DecisionPanel.js';
import { Evidence } from './Evidence.js';

/** Whether an event is about what this page shows. */
function isAbout(
  event: ReceivedEvent,
  item: Item | undefined,
  alias: string | undefined,
): boolean {
  if (item === undefined) return false;
  switch (event.kind) {
    case 'report':
      return event.subject === item.subject && event.claimed_by !== alias;
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
  const item = useAsk('item.read', { subject }, true, { gcTime: 0 });
  const sealed = useAsk('item.read', { subject, sealed: true }, unsealed);
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
    (event) => isAbout(event, item.data, alias),
  );
  const renew = async () => {
    hints.clear();
    const { data } = await item.refetch();
    if (data !== undefined) setSeen(data.last_decision_id);
  };
  const [kind = '', id = ''] = subject.split(':');
  const title = `${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${id}`;
  return (
    <Page title={title}>
      <Answered of={item} what="the evidence">
        {(it) => (
          <>
            <ClaimBar item={it} />
            {sealed.error === null ? null : <Failure error={sealed.error} />}
            <NewHint count={hints.count} show={() => void renew()} />
            <div className="split">
              <div>
                <Evidence
                  item={{ ...it, sealed: sealed.data?.sealed ?? null }}
                  {...(decides ? { unseal: () => setUnsealed(true) } : {})}
                />
              </div>
              <div className="beside" id="decision">
                {decides ? (
                  <DecisionPanel
                    key={search.undo ?? ''}
                    item={it}
                    seen={seen ?? null}
                    renew={() => void renew()}
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
