import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Dialog } from './Dialog.js';

type Props = {
  label: string;
  /** What happens, in a sentence. */
  children: ReactNode;
  act: () => void;
  busy?: boolean;
  ariaLabel?: string;
};

/** A button for what cannot be taken back easily: it asks again first. */
export function ConfirmButton(props: Props) {
  const { label, children, act, busy = false, ariaLabel } = props;
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        loading={busy}
        onClick={open}
        aria-label={ariaLabel ?? label}
      >
        {label}
      </Button>
      <Dialog title={ariaLabel ?? label} opened={opened} close={close}>
        <div>{children}</div>
        <div className="row">
          <Button
            color="red"
            onClick={() => {
              close();
              act();
            }}
          >
            {label}
          </Button>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </>
  );
}
