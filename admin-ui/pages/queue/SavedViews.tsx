import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useAsk } from '../../api/use-ask.js';
import { Answered } from '../../parts/Answered.js';
import { Dialog } from '../../parts/Dialog.js';
import { Inert } from '../../parts/Inert.js';
import { KeptNames } from '../../parts/KeptNames.js';
import { queryOf, useAddress } from '../../shell/use-address.js';

/** Filters under a name, for this operator on every device. */
export function SavedViews() {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button onClick={open}>Saved views</Button>
      <Dialog title="Saved views" opened={opened} close={close}>
        <Views close={close} />
      </Dialog>
    </>
  );
}

function Views({ close }: { close: () => void }) {
  const views = useAsk('view.list', {});
  const { search: here } = useAddress();
  const go = useNavigate();
  const show = (query: string) => {
    const search = Object.fromEntries(new URLSearchParams(query));
    void go({ to: '/queue', search: search as never });
    close();
  };
  return (
    <Answered of={views} what="your views">
      {({ data }) => (
        <>
          {data.length === 0 ? (
            <p className="dim">None yet. Set filters, then keep them here.</p>
          ) : null}
          <KeptNames
            kind="view"
            label="Keep the filters of now as"
            what={{ query: queryOf(here) }}
            kept={data.map(({ name, query }) => ({
              name,
              shown: (
                <button
                  type="button"
                  className="link"
                  onClick={() => show(query)}
                >
                  <Inert text={name} />
                </button>
              ),
            }))}
          />
        </>
      )}
    </Answered>
  );
}
