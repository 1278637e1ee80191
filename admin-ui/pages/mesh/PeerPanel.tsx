import { useMay } from '../../access/use-access.js';
import { count } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { Section } from '../../parts/Section.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';
import { ConfirmKey } from './ConfirmKey.js';
import { HideMirrored } from './HideMirrored.js';
import { Note } from './Note.js';
import { PeerActions } from './PeerActions.js';
import { PeerLimits } from './PeerLimits.js';
import type { Peer } from './PeerTable.js';
import { PeerTrustForm } from './PeerTrustForm.js';
import { peerTone } from './peer-tone.js';

/** One linked board: what is known of it, and what can be done about it. */
export function PeerPanel({ peer }: { peer: Peer }) {
  const admin = useMay('admin');
  return (
    <Section
      title={<Inert text={peer.name} />}
      actions={<Tag tone={peerTone(peer.status)}>{peer.status}</Tag>}
    >
      <div className="stack">
        <PeerFacts peer={peer} />
        {admin ? (
          <>
            <ConfirmKey peer={peer} />
            <PeerActions peer={peer} />
            <PeerTrustForm peer={peer} />
            <PeerLimits peer={peer} />
            <HideMirrored board={peer.name} />
          </>
        ) : null}
        <Note
          label="The last checkpoint of its log"
          text={peer.last_checkpoint ?? 'None has been seen.'}
        />
        <details>
          <summary>Its identity</summary>
          <Note label="The pinned identity" text={peer.identity} />
        </details>
      </div>
    </Section>
  );
}

function PeerFacts({ peer: it }: { peer: Peer }) {
  return (
    <dl className="facts">
      <dt>Address</dt>
      <dd>
        <Inert text={it.base_url} />
      </dd>
      <dt>Log key</dt>
      <dd>
        <code>
          <Inert text={it.log_vkey} />
        </code>
      </dd>
      {it.status_reason === null ? null : (
        <>
          <dt>Because</dt>
          <dd>
            <Inert text={it.status_reason} />
          </dd>
        </>
      )}
      <dt>Acknowledged size</dt>
      <dd>{count(it.acked_size)}</dd>
      <dt>Time to apply, 95 %</dt>
      <dd>{it.apply_ms_p95 === null ? 'unknown' : `${it.apply_ms_p95} ms`}</dd>
      <dt>Refused entries</dt>
      <dd>{count(it.invalid_entries)}</dd>
      <dt>Contents held back</dt>
      <dd>{count(it.withheld_contents)}</dd>
      <dt>Last attempt</dt>
      <dd>
        {it.last_attempt_at === null ? (
          'never'
        ) : (
          <Time at={it.last_attempt_at} />
        )}
        {it.retry_at === null ? null : (
          <>
            , again <Time at={it.retry_at} />
          </>
        )}
      </dd>
      <dt>Evidence against it</dt>
      <dd>{it.evidence.length === 0 ? 'none' : it.evidence.join(', ')}</dd>
    </dl>
  );
}
