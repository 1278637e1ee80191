import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { shown } from './invisible.js';

type Props = {
  title: string;
  opened: boolean;
  close: () => void;
  closeLabel?: string;
  children: ReactNode;
};

export function Dialog(props: Props) {
  const { title, opened, close, closeLabel = 'Close', children } = props;
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={shown(title)}
      closeButtonProps={{ 'aria-label': closeLabel }}
    >
      {opened ? <div className="stack">{children}</div> : null}
    </Modal>
  );
}

type ConfirmButtonProps = {
  label: string;
  children: ReactNode;
  act: () => void;
  busy?: boolean;
  /** While the dialog lacks something. */
  disabled?: boolean;
  ariaLabel?: string;
};

export function ConfirmButton(props: ConfirmButtonProps) {
  const {
    label,
    children,
    act,
    busy = false,
    disabled = false,
    ariaLabel = label,
  } = props;
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
            disabled={disabled}
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
