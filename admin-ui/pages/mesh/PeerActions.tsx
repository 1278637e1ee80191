import { Button, Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import {
  OPTION_NAMES,
  optionsOf,
  PEER_LIMITS,
  PEER_OPTIONS,
  type PeerOption,
  type PeerOptions,
  peerLimits,
  settingsOf,
} from '../../../mesh/peer-port.js';
import { useAsk } from '../../api/ask.js';
import { Failure } from '../../parts/Answered.js';
import { ConfirmButton } from '../../parts/Dialog.js';
import { Form, useForm } from '../../parts/Form.js';
import { count, counted } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { Select } from '../../parts/Select.js';
import { say } from '../../parts/say.js';
import { Time } from '../../parts/Time.js';
import { type Peer, usePeerCommand } from './peers.js';

const STOPPED = ['paused', 'quarantined', 'degraded', 'blocked'];

const reasonOf = (text: string) => (text.trim() === '' ? {} : { reason: text });

export function PeerActions({ peer }: { peer: Peer }) {
  const { name: board, status } = peer;
  const shown = { board, seen: settingsOf(peer) };
  const stopped = STOPPED.includes(status);
  const label = stopped ? 'Resume' : 'Pause';
  const turn = usePeerCommand(stopped ? 'peer.resume' : 'peer.pause', () =>
    say(`${board} is ${label.toLowerCase()}d.`),
  );
  const block = usePeerCommand('peer.block');
  const forget = usePeerCommand('peer.forget');
  const [reason, setReason] = useState('');
  return (
    <>
      <div className="row">
        <ConfirmButton
          label={label}
          ariaLabel={`${label} ${board}`}
          busy={turn.isPending}
          act={() => turn.mutate(shown)}
        >
          {stopped
            ? 'The two boards exchange again, and each catches up with what it missed.'
            : 'Nothing is sent to it or taken from it until it is resumed. The copies that both boards have stay.'}
        </ConfirmButton>
        {status === 'blocked' ? null : (
          <ConfirmButton
            label="Block"
            ariaLabel={`Block ${board}`}
            busy={block.isPending}
            act={() => block.mutate({ ...shown, ...reasonOf(reason) })}
          >
            <p className="tight">
              All traffic with <Inert text={board} /> ends and our copy of it is
              erased. <Held board={board} /> Pausing keeps it.
            </p>
            <TextInput
              label="Why (for operators)"
              maxLength={1000}
              value={reason}
              onChange={({ currentTarget }) => setReason(currentTarget.value)}
            />
          </ConfirmButton>
        )}
        <ConfirmButton
          label="Forget"
          ariaLabel={`Forget ${board}`}
          busy={forget.isPending}
          act={() => forget.mutate(shown)}
        >
          <p className="tight">
            <Inert text={board} /> is no longer linked, and our copy of it is
            deleted. <Held board={board} /> Its confirmed key, its quarantine
            and the evidence against it stay.
          </p>
        </ConfirmButton>
      </div>
      <Failure error={turn.error ?? block.error ?? forget.error} />
    </>
  );
}

/** Texts that would be deleted and exist nowhere else. */
export function Held({ board }: { board: string }) {
  const { data: held } = useAsk('peer.holdings', { board });
  if (held === undefined) return null;
  return (
    <>
      The copy has {counted(held.texts, 'text')} ({count(held.guests)} by
      guests). {held.only_here === 0 ? 'None' : count(held.only_here)} of them{' '}
      {held.only_here < 2 ? 'is' : 'are'} known only here.
    </>
  );
}

/** Locally only. */
export function HideMirrored({ board }: { board: string }) {
  const form = useForm({ id: '', reason: '' });
  const hide = usePeerCommand('peer.hide');
  const { data } = hide;
  const send = (undo: boolean) => {
    const { id, reason } = form.values;
    if (!/^[1-9]\d{0,14}$/.test(id)) return;
    hide.mutate({ board, id: Number(id), ...reasonOf(reason), undo });
  };
  return (
    <details>
      <summary>Hide one of its messages here</summary>
      <Form
        grid
        label="Hide"
        send={() => send(false)}
        work={hide}
        form={form}
        more={<Button onClick={() => send(true)}>Show again</Button>}
      >
        <TextInput
          size="xs"
          label="Message"
          inputMode="numeric"
          pattern="[1-9][0-9]{0,14}"
          required
          {...form.field('id')}
        />
        <TextInput
          size="xs"
          label="Why"
          maxLength={1000}
          {...form.field('reason')}
        />
      </Form>
      {data === undefined ? null : (
        <p role="status">
          Message {data.id} is {data.hidden ? 'hidden' : 'shown'} here.
        </p>
      )}
    </details>
  );
}

type Kept = Pick<PeerOptions, 'trust' | 'content'>;

/** Whether kept texts would be deleted. */
function isNarrower(to: Kept, from: Kept): boolean {
  const keeps = ({ trust, content }: Kept) =>
    trust === 'witness' || trust === 'proofs' ? 0 : content === 'all' ? 2 : 1;
  return keeps(to) < keeps(from);
}

export function PeerTrust({ peer }: { peer: Peer }) {
  const { name: board } = peer;
  const [changed, setChanged] = useState<Partial<PeerOptions>>({});
  const chosen = { ...optionsOf(peer), ...changed };
  const save = usePeerCommand('peer.trust', () => {
    setChanged({});
    say(`What ${board} may do here is changed.`);
  });
  const choice = (name: PeerOption) => {
    const { label, values } = PEER_OPTIONS[name];
    const words: Readonly<Record<string, string>> = PEER_OPTIONS[name].words;
    return (
      <Select<string>
        key={name}
        size="xs"
        label={label}
        options={values}
        words={(it) => words[it] ?? it}
        value={chosen[name]}
        choose={(it) => setChanged((before) => ({ ...before, [name]: it }))}
      />
    );
  };
  const send = () => save.mutate({ board, ...changed });
  return (
    <Form grid label="Change" send={send} work={save}>
      {OPTION_NAMES.map(choice)}
      {chosen.trust === 'relay' && peer.trust !== 'relay' ? (
        <Checkbox required label="It may hand over posts to this board" />
      ) : null}
      {isNarrower(chosen, peer) ? (
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
export function PeerLimits({ peer }: { peer: Peer }) {
  const { name: board, limits } = peer;
  const shown = { board, seen: settingsOf(peer) };
  const form = useForm(peerLimits(() => ''));
  const save = usePeerCommand('peer.limits', form.reset);
  const number = (text: string) => (text === '' ? null : Number(text));
  const send = () =>
    save.mutate({
      ...shown,
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
            act={() => save.mutate({ ...shown, probation: false })}
          >
            The whole of the limits above is taken from now on.
          </ConfirmButton>
        </p>
      )}
    </details>
  );
}
