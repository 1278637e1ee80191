import { TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useAddress } from '../shell/use-address.js';
import { Select } from './Select.js';
import { plain } from './words.js';

/** Filters are in the address so that they can be shared. Folded on phones. */
export function Filters({ children }: { children: ReactNode }) {
  const { search } = useAddress();
  const [open] = useState(() => matchMedia('(min-width: 40em)').matches);
  const set = Object.values(search).filter((it) => it !== undefined).length;
  return (
    <details className="filters-box" open={open}>
      <summary>Filters{set === 0 ? '' : ` (${set} set)`}</summary>
      <search className="filters">{children}</search>
    </details>
  );
}

type ChoiceProps = {
  label: string;
  name: string;
  options: readonly string[];
  /** The label of no choice. */
  none?: string;
  words?: (option: string) => string;
};

export function Choice(props: ChoiceProps) {
  const { label, name, options, none = 'All', words = plain } = props;
  const { search, change } = useAddress();
  return (
    <Select
      label={label}
      size="xs"
      options={['', ...options]}
      words={(it) => (it === '' ? none : words(it))}
      value={search[name] ?? ''}
      choose={(it) => change({ [name]: it || undefined })}
    />
  );
}

type TypedProps = { label: string; name: string; type?: 'text' | 'date' };

/** Applied on blur or Enter. */
export function Typed({ label, name, type = 'text' }: TypedProps) {
  const { search, change } = useAddress();
  const value = search[name] ?? '';
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const take = () => {
    if (text !== value) change({ [name]: text.trim() || undefined });
  };
  return (
    <TextInput
      label={label}
      type={type}
      size="xs"
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={take}
      onKeyDown={({ key }) => {
        if (key === 'Enter') take();
      }}
    />
  );
}
