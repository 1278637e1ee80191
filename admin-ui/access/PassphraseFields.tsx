import { PasswordInput, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { PASSPHRASE_MIN } from '../../protocol/moderation.js';
import type { useForm } from '../parts/Form.js';
import { lengthOf } from '../parts/figures.js';

type Props = {
  form: ReturnType<typeof useForm<{ passphrase: string; totp: string }>>;
  secret?: ReactNode;
};

export function PassphraseFields({ form, secret }: Props) {
  const { passphrase } = form.values;
  const missing = PASSPHRASE_MIN - lengthOf(passphrase);
  const isNew = {
    description: `At least ${PASSPHRASE_MIN} characters and not a common one. Four or five unrelated words are good.`,
    autoComplete: 'new-password',
    error:
      passphrase !== '' && missing > 0
        ? `${missing} more`
        : form.field('passphrase').error,
  };
  return (
    <>
      <PasswordInput
        label="Passphrase"
        autoComplete="current-password"
        required
        visibilityToggleButtonProps={{ 'aria-label': 'Show the passphrase' }}
        {...form.field('passphrase')}
        {...(secret === undefined ? {} : isNew)}
      />
      {secret}
      <TextInput
        label="Code of your authenticator app"
        description="Six digits; each works once."
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="(?:[\s\p{Pd}\p{Cf}\u2212]*[0-9\uff10-\uff19]){6}[\s\p{Pd}\p{Cf}\u2212]*"
        maxLength={40}
        required
        {...form.field('totp')}
      />
    </>
  );
}
