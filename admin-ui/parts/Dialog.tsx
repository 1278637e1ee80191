import { Modal } from '@mantine/core';
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
