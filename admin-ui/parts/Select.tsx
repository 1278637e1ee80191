import { NativeSelect, type NativeSelectProps } from '@mantine/core';
import type { Ref } from 'react';
import { plain } from './words.js';

type Props<T extends string> = Omit<
  NativeSelectProps,
  'data' | 'onChange' | 'value'
> & {
  options: readonly T[];
  words?: (option: T) => string;
  value: T;
  choose: (option: T) => void;
  ref?: Ref<HTMLSelectElement>;
};

/** The browser's own, which works on every device. */
export function Select<T extends string>(props: Props<T>) {
  const { options, words = plain, choose, ...more } = props;
  return (
    <NativeSelect
      {...more}
      data={options.map((value) => ({ value, label: words(value) }))}
      onChange={({ currentTarget }) => choose(currentTarget.value as T)}
    />
  );
}
