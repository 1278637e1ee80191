import { Button, Modal, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Template } from '../../../server/admin/events/views.js';
import { queryClient } from '../../api/query-client.js';
import { useCommand } from '../../api/use-ask.js';
import { Failure } from '../../parts/Failure.js';
import { useForm } from '../../parts/use-form.js';
import type { Draft } from './draft.js';

type Props = { draft: Draft; templates: readonly Template[] };

function refresh(): void {
  void queryClient.invalidateQueries({ queryKey: ['template.list'] });
}

/** Keeps a wording for everybody, and removes those that were kept. */
export function TemplateDialog({ draft, templates }: Props) {
  const [opened, { open, close }] = useDisclosure(false);
  const form = useForm({ name: '' });
  const save = useCommand('template.save', () => {
    form.reset();
    refresh();
  });
  const remove = useCommand('template.remove', refresh);
  const { action, reason, explanation } = draft;
  const own = templates.filter(({ updated_at }) => updated_at !== null);
  const error = save.error ?? remove.error;
  const keep = () =>
    save.mutate({ name: form.values.name, action, reason, explanation });
  return (
    <>
      <button type="button" className="link" onClick={open}>
        Keep or remove templates
      </button>
      <Modal
        opened={opened}
        onClose={close}
        title="Templates"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <div className="stack">
          <p className="tight">
            Write {'{{what is to be filled}}'} where a wording has a gap.
          </p>
          <form onSubmit={form.submit(keep)} className="stack">
            <TextInput
              label="Keep the explanation of now as"
              maxLength={60}
              required
              {...form.field('name')}
            />
            <Button
              type="submit"
              size="xs"
              disabled={explanation.trim() === ''}
              loading={save.isPending}
            >
              Keep
            </Button>
          </form>
          <ul className="plain">
            {own.map(({ name, updated_by }) => (
              <li key={name} className="row">
                <span className="grow">
                  {name} <span className="dim">by {updated_by}</span>
                </span>
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
          {error === null ? null : <Failure error={error} />}
        </div>
      </Modal>
    </>
  );
}
