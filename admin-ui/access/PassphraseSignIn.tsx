import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Account } from '../api/access-answers.js';
import { post } from '../api/request.js';
import { Failure } from '../parts/Failure.js';
import { Section } from '../parts/Section.js';
import { useForm } from '../parts/use-form.js';
import { CodeInput } from './CodeInput.js';
import { signedIn } from './use-access.js';

export function PassphraseSignIn() {
  const form = useForm({ name: '', passphrase: '', totp: '' });
  const work = useMutation({
    mutationFn: () => post<Account>('/sign-in/passphrase', form.values),
    onSuccess: signedIn,
    onError: () => form.set('totp')(''),
  });
  return (
    <Section title="Passphrase">
      <form onSubmit={form.submit(() => work.mutate())} className="stack">
        <TextInput
          label="Name"
          autoComplete="username"
          required
          {...form.field('name')}
        />
        <PasswordInput
          label="Passphrase"
          autoComplete="current-password"
          required
          visibilityToggleButtonProps={{ 'aria-label': 'Show the passphrase' }}
          {...form.field('passphrase')}
        />
        <CodeInput {...form.field('totp')} />
        <Button type="submit" loading={work.isPending}>
          Sign in
        </Button>
        {work.error === null ? null : <Failure error={work.error} />}
      </form>
    </Section>
  );
}
