import { Button, Modal, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { queryClient } from '../../api/query-client.js';
import { useAsk, useCommand } from '../../api/use-ask.js';
import { Answered } from '../../parts/Answered.js';
import { Failure } from '../../parts/Failure.js';
import { useForm } from '../../parts/use-form.js';
import { useAddress } from '../../shell/use-address.js';

function refresh(): void {
  void queryClient.invalidateQueries({ queryKey: ['view.list'] });
}

/** Filters under a name, for this operator on every device. */
export function SavedViews() {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        Saved views
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title="Saved views"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {opened ? <Views close={close} /> : null}
      </Modal>
    </>
  );
}

function Views({ close }: { close: () => void }) {
  const views = useAsk('view.list', {});
  const remove = useCommand('view.remove', refresh);
  const go = useNavigate();
  const show = (query: string) => {
    const search = Object.fromEntries(new URLSearchParams(query));
    void go({ to: '/queue', search: search as never });
    close();
  };
  return (
    <div className="stack">
      <Answered of={views} what="your views">
        {({ data }) =>
          data.length === 0 ? (
            <p className="dim">None yet. Set filters, then keep them here.</p>
          ) : (
            <ul className="plain">
              {data.map(({ name, query }) => (
                <li key={name} className="row">
                  <button
                    type="button"
                    className="link grow"
                    onClick={() => show(query)}
                  >
                    {name}
                  </button>
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
          )
        }
      </Answered>
      <KeepView />
      {remove.error === null ? null : <Failure error={remove.error} />}
    </div>
  );
}

function KeepView() {
  const { search } = useAddress();
  const form = useForm({ name: '' });
  const save = useCommand('view.save', () => {
    form.reset();
    refresh();
  });
  const pairs = Object.entries(search).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const query = new URLSearchParams(pairs).toString();
  const keep = () => save.mutate({ name: form.values.name, query });
  return (
    <form onSubmit={form.submit(keep)} className="stack">
      <TextInput
        label="Keep the filters of now as"
        maxLength={60}
        required
        {...form.field('name')}
      />
      <Button type="submit" size="xs" loading={save.isPending}>
        Keep
      </Button>
      {save.error === null ? null : <Failure error={save.error} />}
    </form>
  );
}
