import { NativeSelect } from '@mantine/core';
import { plain } from './words.js';

type Props = {
  label: string;
  value: string | undefined;
  options: readonly string[];
  /** What no choice means. */
  none: string;
  change: (value: string | undefined) => void;
};

/** A filter: the browser's own list, which every device can work. */
export function Choice({ label, value = '', options, none, change }: Props) {
  return (
    <NativeSelect
      label={label}
      size="xs"
      value={value}
      onChange={({ currentTarget }) =>
        change(currentTarget.value === '' ? undefined : currentTarget.value)
      }
      data={[
        { value: '', label: none },
        ...options.map((it) => ({ value: it, label: plain(it) })),
      ]}
    />
  );
}
