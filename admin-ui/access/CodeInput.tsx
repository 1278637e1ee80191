import { TextInput } from '@mantine/core';
import type { ChangeEvent } from 'react';

type Props = {
  value: string;
  onChange: (event: ChangeEvent<HTMLInputElement>) => void;
};

/** The six digits of the authenticator app. */
export function CodeInput({ value, onChange }: Props) {
  return (
    <TextInput
      label="Code of your authenticator app"
      description="Six digits; each works once."
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="[0-9]{6}"
      maxLength={6}
      required
      value={value}
      onChange={onChange}
    />
  );
}
