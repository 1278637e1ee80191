import { type ChangeEvent, useState } from 'react';
import { isRefusal } from '../api/refusal.js';

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
type Fault = { field?: unknown; detail?: unknown };

/** The board's message per field. */
function faultsOf(error: unknown): Readonly<Record<string, string>> {
  if (!isRefusal(error)) return {};
  const { faults } = error.body;
  const list: Fault[] = Array.isArray(faults) ? faults : [error.body];
  return Object.fromEntries(
    list.flatMap(({ field, detail }) =>
      typeof field === 'string' ? [[field, String(detail)]] : [],
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
