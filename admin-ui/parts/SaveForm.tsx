import { Button } from '@mantine/core';
import { type ComponentProps, type ReactNode, useEffect } from 'react';
import { Form } from './Form.js';
import { Section } from './Section.js';
import { useIntoView } from './use-into-view.js';

type Props = Omit<ComponentProps<typeof Form>, 'label'> & {
  title: string;
  close: () => void;
  below?: ReactNode;
};

/** Adds or changes a thing of a list; takes the focus. */
export function SaveForm({ title, close, below, more, ...form }: Props) {
  const place = useIntoView<HTMLDivElement>();
  useEffect(() => {
    const first = place.current?.querySelector<HTMLElement>('input, select');
    first?.focus({ preventScroll: true });
  }, [place]);
  return (
    <div ref={place}>
      <Section title={title}>
        <Form
          label="Save"
          size="sm"
          {...form}
          more={
            <>
              {more}
              <Button size="sm" onClick={close}>
                Cancel
              </Button>
            </>
          }
        />
        {below}
      </Section>
    </div>
  );
}
