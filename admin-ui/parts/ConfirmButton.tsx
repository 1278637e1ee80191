import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Dialog } from './Dialog.js';

type Props = {
  label: string;
  children: ReactNode;
  act: () => void;
  busy?: boolean;
  ariaLabel?: string;
};

export function ConfirmButton(props: Props) {
  const { label, children, act, busy = false, ariaLabel = label } = props;
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button
        size="compact-xs"
        loading={busy}
        onClick={open}
        aria-label={ariaLabel}
      >
        {label}
      </Button>
      <Dialog title={ariaLabel} opened={opened} close={close}>
        <div>{children}</div>
        <div className="row">
          <Button
            size="sm"
            variant="filled"
            color="red"
            onClick={() => {
              close();
              act();
            }}
          >
            {label}
          </Button>
          <Button size="sm" onClick={close}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </>
  );
}
