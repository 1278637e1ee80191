import { Button, type ButtonProps } from '@mantine/core';
import {
  type ChangeEvent,
  type ComponentProps,
  type ReactNode,
  useEffect,
  useState,
} from 'react';
import { isRefusal } from '../api/request.js';
import { Failure } from './Answered.js';
import { Section, useIntoView } from './Page.js';
import { spokenAt } from './words.js';

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
type Fault = { field?: unknown; detail?: unknown };

/** The board's message per field. */
function faultsOf(error: unknown): Readonly<Record<string, string>> {
  if (!isRefusal(error)) return {};
  const { faults } = error.body;
  const list: Fault[] = Array.isArray(faults) ? faults : [error.body];
  return Object.fromEntries(
    list.flatMap(({ field, detail }) =>
      typeof field === 'string' ? [[field, spokenAt(String(detail))]] : [],
    ),
  );
}

export function useForm<T extends Record<string, string>>(first: T) {
  const [values, setValues] = useState(first);
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const set = (name: keyof T) => (value: string) => {
    setValues((before) => ({ ...before, [name]: value }));
    setFaults(({ [name as string]: _, ...others }) => others);
  };
  return {
    values,
    set,
    reset: () => setValues(first),
    refuse: (error: unknown) => setFaults(faultsOf(error)),
    /** Whether a field shows every fault of the refusal. */
    shows: (error: unknown) => {
      const names = Object.keys(faultsOf(error));
      return names.length > 0 && names.every((name) => name in first);
    },
    field: (name: keyof T) => ({
      value: values[name] as string,
      error: faults[name as string],
      onChange: (event: ChangeEvent<Field>) =>
        set(name)(event.currentTarget.value),
    }),
  };
}

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

type SaveProps = Omit<ComponentProps<typeof Form>, 'label'> & {
  title: string;
  close: () => void;
  below?: ReactNode;
};

/** Adds or changes a thing of a list; takes the focus. */
export function SaveForm({ title, close, below, more, ...form }: SaveProps) {
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
