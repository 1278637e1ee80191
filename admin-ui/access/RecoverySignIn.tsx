import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Account } from '../api/access-answers.js';
import { post } from '../api/request.js';
import { Failure } from '../parts/Failure.js';
import { Section } from '../parts/Section.js';
import { useForm } from '../parts/use-form.js';
import { signedIn } from './use-access.js';

/** One of the codes that were shown at set-up, each once. */
export function RecoverySignIn() {
  const form = useForm({ name: '', code: '' });
  const work = useMutation({
    mutationFn: () => post<Account>('/sign-in/recovery', form.values),
    onSuccess: signedIn,
  });
  return (
    <Section title="Recovery code">
      <form onSubmit={form.submit(() => work.mutate())} className="stack">
        <TextInput
          label="Name"
          autoComplete="username"
          required
          {...form.field('name')}
        />
        <TextInput
          label="Recovery code"
          description="Capitals, spaces and hyphens make no difference."
          autoComplete="off"
          required
          {...form.field('code')}
        />
        <Button type="submit" loading={work.isPending}>
          Sign in with the code
        </Button>
        {work.error === null ? null : <Failure error={work.error} />}
        <p className="dim">
          Then enrol a new passkey or passphrase under “Your account”.
        </p>
      </form>
    </Section>
  );
}
