import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CommandInput } from '../../server/dashboard/all-commands.js';
import { useCommand } from '../api/ask.js';
import { reread } from '../api/query-client.js';
import { ConfirmButton } from './Dialog.js';
import { Form, useForm } from './Form.js';

type Kind = 'template' | 'view';
type Props<K extends Kind> = {
  kind: K;
  kept: readonly {
    name: string;
    shown: ReactNode;
    /** Not to be removed. */
    fixed?: boolean;
  }[];
  label: string;
  /** Said before one is removed. */
  lost: string;
  /** Null when there is nothing to keep. */
  what: Omit<CommandInput<`${K}.save`>, 'name'> | null;
  /** Of a name that colleagues can change, too. */
  seen?: (name: string) => { seen?: number | null };
};

export function KeptNames<K extends Kind>(props: Props<K>) {
  const { kind, kept, label, lost, what, seen = () => ({}) } = props;
  const refresh = () => reread(`${kind}.list`);
  const form = useForm({ name: '' });
  const save = useCommand(`${kind}.save` as 'view.save', () => {
    form.reset();
    refresh();
  });
  const remove = useCommand(`${kind}.remove` as 'view.remove', refresh);
  const { name } = form.values;
  const keep = () =>
    save.mutate({ name, ...what, ...seen(name) } as CommandInput<'view.save'>);
  return (
    <>
      <ul className="plain">
        {kept.map(({ name, shown, fixed = false }) => (
          <li key={name} className="row">
            <div className="grow">{shown}</div>
            {fixed ? null : (
              <ConfirmButton
                label="Remove"
                ariaLabel={`Remove ${name}`}
                act={() => remove.mutate({ name, ...seen(name) })}
              >
                {lost}
              </ConfirmButton>
            )}
          </li>
        ))}
      </ul>
      <Form
        label="Save"
        send={keep}
        form={form}
        work={{ ...save, error: save.error ?? remove.error }}
        disabled={what === null}
      >
        <TextInput
          label={label}
          maxLength={60}
          required
          {...form.field('name')}
        />
      </Form>
    </>
  );
}
