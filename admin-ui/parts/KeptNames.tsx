import { Button, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CommandInput } from '../../server/dashboard/schemas/commands.js';
import { queryClient } from '../api/query-client.js';
import { useCommand } from '../api/use-ask.js';
import { Failure } from './Failure.js';
import { useForm } from './use-form.js';

type Kind = 'template' | 'view';
type Props<K extends Kind> = {
  kind: K;
  /** Those that are kept, and how each is shown. */
  kept: readonly { name: string; shown: ReactNode }[];
  label: string;
  /** What is to be kept under the name; null when there is nothing. */
  what: Omit<CommandInput<`${K}.save`>, 'name'> | null;
};

/** Keeps something under a name, and removes what was kept. */
export function KeptNames<K extends Kind>(props: Props<K>) {
  const { kind, kept, label, what } = props;
  const refresh = () =>
    void queryClient.invalidateQueries({ queryKey: [`${kind}.list`] });
  const form = useForm({ name: '' });
  const save = useCommand(`${kind}.save` as 'view.save', () => {
    form.reset();
    refresh();
  });
  const remove = useCommand(`${kind}.remove` as 'view.remove', refresh);
  const error = save.error ?? remove.error;
  const keep = () =>
    save.mutate({ ...form.values, ...what } as CommandInput<'view.save'>);
  return (
    <>
      <ul className="plain">
        {kept.map(({ name, shown }) => (
          <li key={name} className="row">
            <span className="grow">{shown}</span>
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Remove ${name}`}
              onClick={() => remove.mutate({ name })}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <form onSubmit={form.submit(keep)} className="stack">
        <TextInput
          label={label}
          maxLength={60}
          required
          {...form.field('name')}
        />
        <Button
          type="submit"
          size="xs"
          disabled={what === null}
          loading={save.isPending}
        >
          Keep
        </Button>
      </form>
      {error === null ? null : <Failure error={error} />}
    </>
  );
}
