import { useQuery } from '@tanstack/react-query';
import { fingerprintOf } from '../../../protocol/vkey.js';
import { lostRefusal } from '../../api/request.js';
import { Answered } from '../../parts/Answered.js';
import { CommandLine } from '../../parts/CopyButton.js';
import { Inert } from '../../parts/Inert.js';
import { Facts, Section } from '../../parts/Page.js';
import type { Peer } from './peers.js';

type Own = { board: { base_url: string }; log: { vkey: string } };

async function ownIdentity(): Promise<Own> {
  const response = await fetch('/api/mesh', { cache: 'no-store' });
  if (!response.ok) throw lostRefusal('The board’s own key cannot be read.');
  return (await response.json()) as Own;
}

/** With a fingerprint, which never confirms. */
export function FullKey({ vkey }: { vkey: string }) {
  return (
    <>
      <code className="break">
        <Inert text={vkey} />
      </code>
      <span className="dim"> fingerprint {fingerprintOf(vkey)}</span>
    </>
  );
}

export function OwnKey() {
  const own = useQuery({ queryKey: ['own'], queryFn: ownIdentity });
  return (
    <Section title="This board">
      <Answered of={own} what="our own key">
        {({ board, log }) => (
          <Facts
            of={{
              Address: board.base_url,
              'Log key': <FullKey vkey={log.vkey} />,
            }}
          />
        )}
      </Answered>
    </Section>
  );
}

/** The other side has to link this board, too. */
export function SendThem({ peer }: { peer: Peer }) {
  const { name, confirmed_us: confirmed } = peer;
  const own = useQuery({ queryKey: ['own'], queryFn: ownIdentity });
  if (confirmed === true) {
    return <p className="tight">It has confirmed this board.</p>;
  }
  return (
    <section className="preview" aria-label={`What to send to ${name}`}>
      <h3>
        <Inert text={name} />{' '}
        {confirmed === null
          ? 'has not said yet whether it has confirmed this board'
          : 'has not confirmed this board yet'}
      </h3>
      <p className="tight">
        Until it does, it keeps no copy of ours. Send its operators this
        command, and tell them the key by another way:
      </p>
      <Answered of={own} what="our own key">
        {({ board, log }) => (
          <CommandLine
            text={`reserve-board peer add ${board.base_url} --confirm '${log.vkey}'`}
          />
        )}
      </Answered>
    </section>
  );
}
