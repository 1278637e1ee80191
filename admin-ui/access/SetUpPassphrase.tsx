import { Button, PasswordInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { Enrolled, TotpOffer } from '../api/access-answers.js';
import { post } from '../api/request.js';
import { Answered } from '../parts/Answered.js';
import { Failure } from '../parts/Failure.js';
import { lengthOf } from '../parts/figures.js';
import { Section } from '../parts/Section.js';
import { useForm } from '../parts/use-form.js';
import { CodeInput } from './CodeInput.js';
import type { SetUpProps } from './SetUpPasskey.js';
import { TotpSecret } from './TotpSecret.js';

const LEAST = 12;

export function SetUpPassphrase({ chosen, ready, done }: SetUpProps) {
  const { code } = chosen;
  const offer = useQuery({
    queryKey: ['setup', code, 'totp'],
    queryFn: () => post<TotpOffer>('/setup/totp', { code }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const form = useForm({ passphrase: '', totp: '' });
  const work = useMutation({
    mutationFn: () =>
      post<Enrolled>('/setup/passphrase', {
        ...chosen,
        ...form.values,
        totp_token: offer.data?.token ?? '',
      }),
    onSuccess: done,
  });
  return (
    <Section title="Passphrase and authenticator app">
      <form onSubmit={form.submit(() => work.mutate())} className="stack">
        <PassphraseInput
          value={form.values.passphrase}
          onChange={form.set('passphrase')}
        />
        <Answered of={offer} what="a secret for your app">
          {(it) => <TotpSecret offer={it} />}
        </Answered>
        <CodeInput {...form.field('totp')} />
        <Button type="submit" loading={work.isPending} disabled={!ready}>
          Set up the account
        </Button>
        {work.error === null ? null : <Failure error={work.error} />}
      </form>
    </Section>
  );
}

type InputProps = { value: string; onChange: (text: string) => void };

/** A new passphrase, with what it lacks. */
export function PassphraseInput({ value, onChange }: InputProps) {
  const missing = LEAST - lengthOf(value);
  const short = value !== '' && missing > 0;
  return (
    <PasswordInput
      label="Passphrase"
      description={`At least ${LEAST} characters and not a common one. Four or five unrelated words are good.`}
      autoComplete="new-password"
      required
      visibilityToggleButtonProps={{ 'aria-label': 'Show the passphrase' }}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      {...(short ? { error: `${missing} more` } : {})}
    />
  );
}
