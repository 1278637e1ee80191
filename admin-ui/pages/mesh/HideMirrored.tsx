import { Button, TextInput } from '@mantine/core';
import { Failure } from '../../parts/Failure.js';
import { useForm } from '../../parts/use-form.js';
import { usePeerCommand } from './use-peer-command.js';

/** Hides one copied message here only, or shows it again. */
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
      ...(reason.trim() === '' ? {} : { reason }),
      ...(undo ? { undo } : {}),
    });
  };
  return (
    <details>
      <summary>Hide one of its messages here</summary>
      <form className="filters" onSubmit={form.submit(() => send(false))}>
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
        <Button type="submit" size="xs" loading={hide.isPending}>
          Hide it here
        </Button>
        <Button size="xs" variant="default" onClick={() => send(true)}>
          Show it again
        </Button>
      </form>
      {data === undefined ? null : (
        <p role="status">
          Message {data.id} is {data.hidden ? 'hidden' : 'shown'} here.
        </p>
      )}
      {hide.error === null ? null : <Failure error={hide.error} />}
    </details>
  );
}
