import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAsk } from '../../api/ask.js';
import { Failure } from '../../parts/Answered.js';
import { ConfirmButton } from '../../parts/ConfirmButton.js';
import { Form, useForm } from '../../parts/Form.js';
import { count } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { type Peer, usePeerCommand } from './peers.js';

const STOPPED = ['paused', 'quarantined', 'degraded', 'blocked'];

const reasonOf = (text: string) => (text.trim() === '' ? {} : { reason: text });

export function PeerActions({ peer: { name: board, status } }: { peer: Peer }) {
  const pause = usePeerCommand('peer.pause');
  const resume = usePeerCommand('peer.resume');
  const block = usePeerCommand('peer.block');
  const forget = usePeerCommand('peer.forget');
  const [reason, setReason] = useState('');
  const [label, turn] = STOPPED.includes(status)
    ? ['Resume', resume]
    : ['Pause', pause];
  return (
    <>
      <div className="row">
        <Button
          size="compact-xs"
          loading={turn.isPending}
          onClick={() => turn.mutate({ board })}
        >
          {label}
        </Button>
        {status === 'blocked' ? null : (
          <ConfirmButton
            label="Block"
            ariaLabel={`Block ${board}`}
            busy={block.isPending}
            act={() => block.mutate({ board, ...reasonOf(reason) })}
          >
            <p className="tight">
              All traffic with <Inert text={board} /> ends and our copy of it is
              erased. <Held board={board} /> Pause keeps the copy.
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
          act={() => forget.mutate({ board })}
        >
          <p className="tight">
            <Inert text={board} /> is no longer linked, and our copy of it is
            deleted. <Held board={board} /> Its confirmed key, its quarantine
            and the evidence against it stay.
          </p>
        </ConfirmButton>
      </div>
      <Failure
        error={pause.error ?? resume.error ?? block.error ?? forget.error}
      />
    </>
  );
}

/** Texts that would be deleted and exist nowhere else. */
export function Held({ board }: { board: string }) {
  const { data: held } = useAsk('peer.holdings', { board });
  if (held === undefined) return null;
  return (
    <>
      We keep {count(held.texts)} texts of it, {count(held.guests)} of them of
      guests; {count(held.only_here)} are known on no other board.
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
    hide.mutate({
      board,
      id: Number(id),
      ...reasonOf(reason),
      ...(undo ? { undo } : {}),
    });
  };
  return (
    <details>
      <summary>Hide one of its messages here</summary>
      <Form
        grid
        label="Hide it here"
        send={() => send(false)}
        work={hide}
        form={form}
        more={<Button onClick={() => send(true)}>Show it again</Button>}
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
