import { Button, type ButtonProps } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Failure } from './Failure.js';

type Props = ButtonProps & {
  children: ReactNode;
  label: string;
  send: () => void;
  work: { isPending: boolean; error: Error | null };
  /** From `useForm`: shows refusals at fields. */
  form?: {
    refuse: (error: unknown) => void;
    shows: (error: unknown) => boolean;
  };
  more?: ReactNode;
  grid?: boolean;
};

export function Form(props: Props) {
  const { children, label, send, work, form, more, grid, ...button } = props;
  const { error } = work;
  useEffect(() => form?.refuse(error), [error]);
  const submit = (
    <Button type="submit" variant="filled" loading={work.isPending} {...button}>
      {label}
    </Button>
  );
  const buttons =
    more === undefined ? (
      submit
    ) : (
      <div className="row">
        {submit}
        {more}
      </div>
    );
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {grid ? (
        <div className="filters">
          {children}
          {buttons}
        </div>
      ) : (
        <>
          {children}
          {buttons}
        </>
      )}
      <Failure error={form?.shows(error) ? null : error} />
    </form>
  );
}
