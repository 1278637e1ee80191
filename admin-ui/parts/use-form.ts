import { type ChangeEvent, useState } from 'react';

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** The texts of a form, and what its fields need. */
export function useForm<T extends Record<string, string>>(first: T) {
  const [values, setValues] = useState(first);
  const set = (name: keyof T) => (value: string) =>
    setValues((before) => ({ ...before, [name]: value }));
  return {
    values,
    set,
    reset: () => setValues(first),
    field: (name: keyof T) => ({
      value: values[name] as string,
      onChange: (event: ChangeEvent<Field>) =>
        set(name)(event.currentTarget.value),
    }),
  };
}
