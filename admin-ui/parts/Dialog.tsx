import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { shown } from './invisible.js';

type Props = {
  title: string;
  opened: boolean;
  close: () => void;
  /** What the cross says to those who do not see it. */
  closeLabel?: string;
  children: ReactNode;
};

/** A dialog; its content starts fresh each time it opens. */
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
