import { NativeSelect } from '@mantine/core';
import { useAddress } from '../shell/use-address.js';
import { plain } from './words.js';

type Props = {
  label: string;
  /** Of the filter in the address. */
  name: string;
  options: readonly string[];
  /** What no choice means. */
  none?: string;
};

/** A filter: the browser's own list, which every device can work. */
export function Choice({ label, name, options, none = 'All' }: Props) {
  const { search, change } = useAddress();
  return (
    <NativeSelect
      label={label}
      size="xs"
      value={search[name] ?? ''}
      onChange={({ currentTarget: { value } }) =>
        change({ [name]: value === '' ? undefined : value })
      }
      data={[
        { value: '', label: none },
        ...options.map((it) => ({ value: it, label: plain(it) })),
      ]}
    />
  );
}
