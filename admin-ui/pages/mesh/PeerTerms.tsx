import { Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import { PEER_LIMITS, peerLimits } from '../../../mesh/peer-port.js';
import { ConfirmButton } from '../../parts/ConfirmButton.js';
import { Form, useForm } from '../../parts/Form.js';
import { Select } from '../../parts/Select.js';
import { Time } from '../../parts/Time.js';
import { Held } from './PeerActions.js';
import { type Peer, usePeerCommand } from './peers.js';

type Trust = Pick<Peer, 'trust' | 'content' | 'decisions'>;

const LABELS = { trust: 'Trust', content: 'Texts', decisions: 'Decisions' };
const WORDS: { [K in keyof Trust]: Readonly<Record<Trust[K], string>> } = {
  trust: {
    witness: 'Witness: watch its log only',
    proofs: 'Proofs: entries, no texts',
    mirror: 'Mirror: copy its messages',
    relay: 'Relay: accept posts that it hands over',
  },
  content: { signed: 'Signed messages', all: 'All messages' },
  decisions: {
    annotate: 'Annotate: show its decisions beside',
    follow: 'Follow: hide what it hides',
  },
};

type Kept = Pick<Trust, 'trust' | 'content'>;

/** Whether kept texts would be deleted. */
function isNarrower(to: Kept, from: Kept): boolean {
  const keeps = ({ trust, content }: Kept) =>
    trust === 'witness' || trust === 'proofs' ? 0 : content === 'all' ? 2 : 1;
  return keeps(to) < keeps(from);
}

export function PeerTrust({ peer }: { peer: Peer }) {
  const { name: board, trust, content, decisions } = peer;
  const [chosen, setChosen] = useState({ trust, content, decisions });
  const save = usePeerCommand('peer.trust');
  const choice = <K extends keyof Trust>(name: K) => (
    <Select
      size="xs"
      label={LABELS[name]}
      options={Object.keys(WORDS[name]) as Trust[K][]}
      words={(it) => WORDS[name][it]}
      value={chosen[name]}
      choose={(it) => setChosen((before) => ({ ...before, [name]: it }))}
    />
  );
  const send = () => save.mutate({ board, ...chosen });
  return (
    <Form grid label="Change" send={send} work={save}>
      {choice('trust')}
      {choice('content')}
      {choice('decisions')}
      {isNarrower(chosen, { trust, content }) ? (
        <div role="status">
          <p className="tight">
            This keeps less than now, and deletes the rest.{' '}
            <Held board={board} />
          </p>
          <Checkbox required label="Delete these texts" />
        </div>
      ) : null}
    </Form>
  );
}

/** An empty field takes the default. */
export function PeerLimits({ peer: { name: board, limits } }: { peer: Peer }) {
  const form = useForm(peerLimits(() => ''));
  const save = usePeerCommand('peer.limits', form.reset);
  const number = (text: string) => (text === '' ? null : Number(text));
  const send = () =>
    save.mutate({
      board,
      ...peerLimits(({ name }) => number(form.values[name])),
    });
  return (
    <details>
      <summary>Limits</summary>
      <Form
        grid
        label="Set, empty for the default"
        send={send}
        work={save}
        form={form}
      >
        {PEER_LIMITS.map(({ name, label }) => (
          <TextInput
            key={name}
            size="xs"
            label={label}
            description={`Now ${limits[name]}`}
            inputMode="numeric"
            pattern="[0-9]{1,15}"
            {...form.field(name)}
          />
        ))}
      </Form>
      {limits.probation_until === null ? null : (
        <p className="row">
          In its first week only a tenth is taken, until{' '}
          <Time at={limits.probation_until} />.
          <ConfirmButton
            label="End it now"
            act={() => save.mutate({ board, probation: false })}
          >
            The whole of the limits above is taken from now on.
          </ConfirmButton>
        </p>
      )}
    </details>
  );
}
