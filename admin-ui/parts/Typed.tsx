import { TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useAddress } from '../shell/use-address.js';

type Props = {
  label: string;
  /** Of the filter in the address. */
  name: string;
  type?: 'text' | 'date';
};

/** A filter that counts when the field is left, or on Enter. */
export function Typed({ label, name, type = 'text' }: Props) {
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
