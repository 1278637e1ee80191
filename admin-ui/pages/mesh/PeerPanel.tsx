import { useMay } from '../../access/use-access.js';
import { count } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { Block, Facts, Section } from '../../parts/Page.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';
import { ConfirmKey } from './ConfirmKey.js';
import { HideMirrored, PeerActions } from './PeerActions.js';
import { PeerLimits, PeerTrust } from './PeerTerms.js';
import { type Peer, peerTone } from './peers.js';
import { SendThem } from './SendThem.js';

export function PeerPanel({ peer }: { peer: Peer }) {
  const admin = useMay('admin');
  return (
    <Section
      title={<Inert text={peer.name} />}
      actions={<Tag tone={peerTone(peer.status)}>{peer.status}</Tag>}
    >
      <div className="stack">
        <PeerFacts peer={peer} />
        {peer.status === 'pending' || peer.status === 'blocked' ? null : (
          <SendThem peer={peer} />
        )}
        {admin ? (
          <>
            <ConfirmKey peer={peer} />
            <PeerActions peer={peer} />
            <PeerTrust peer={peer} />
            <PeerLimits peer={peer} />
            <HideMirrored board={peer.name} />
          </>
        ) : null}
        <Block
          heading
          label="The last checkpoint of its log"
          text={peer.last_checkpoint ?? 'None has been seen.'}
        />
        <details>
          <summary>Its identity</summary>
          <Block heading label="The pinned identity" text={peer.identity} />
        </details>
      </div>
    </Section>
  );
}

function PeerFacts({ peer: it }: { peer: Peer }) {
  return (
    <Facts
      of={{
        Address: <Inert text={it.base_url} />,
        'Log key': (
          <code>
            <Inert text={it.log_vkey} />
          </code>
        ),
        'It says that it has':
          it.messages === null
            ? 'unknown: it does not say'
            : `${count(it.messages.signed)} signed texts, ${count(it.messages.guest)} of guests`,
        Because: it.status_reason && <Inert text={it.status_reason} />,
        'Acknowledged size': count(it.acked_size),
        '95 % of entries applied within':
          it.apply_ms_p95 === null
            ? 'nothing applied yet'
            : `${it.apply_ms_p95} ms`,
        'Invalid entries, refused': count(it.invalid_entries),
        'Contents held back': count(it.withheld_contents),
        'Last attempt': (
          <>
            <Time at={it.last_attempt_at} none="never" />
            {it.retry_at === null ? '' : ', again '}
            <Time at={it.retry_at} />
          </>
        ),
        'Evidence against it': it.evidence.join(', ') || 'none',
      }}
    />
  );
}
