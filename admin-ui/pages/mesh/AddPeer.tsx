import { Button, TextInput } from '@mantine/core';
import { Failure } from '../../parts/Failure.js';
import { Section } from '../../parts/Section.js';
import { useForm } from '../../parts/use-form.js';
import { ConfirmKey } from './ConfirmKey.js';
import { usePeerCommand } from './use-peer-command.js';

/** By address: its identity is fetched and shown, and then to be confirmed. */
export function AddPeer() {
  const form = useForm({ url: '' });
  const add = usePeerCommand('peer.add', form.reset);
  return (
    <Section title="Link a board">
      <form
        className="filters"
        onSubmit={form.submit(() => add.mutate(form.values))}
      >
        <TextInput
          label="Address of the board"
          type="url"
          placeholder="https://board.example"
          required
          maxLength={300}
          {...form.field('url')}
        />
        <Button type="submit" loading={add.isPending}>
          Fetch its identity
        </Button>
      </form>
      {add.error === null ? null : <Failure error={add.error} />}
      {add.data === undefined ? null : <ConfirmKey peer={add.data} />}
    </Section>
  );
}
