import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { CommandAnswers } from '../../server/dashboard/all-commands.js';
import { post } from '../api/request.js';
import { Form, useForm } from '../parts/Form.js';
import { Page, Section } from '../parts/Page.js';
import { PassphraseFields } from './PassphraseFields.js';
import { answerWithPasskey, PasskeyButton } from './passkey.js';
import { signedIn } from './use-access.js';

export function SignInPage({
  access,
}: {
  access: CommandAnswers['access.state'];
}) {
  const [recovering, setRecovering] = useState(false);
  return (
    <main className="alone">
      <Page title={`Sign in to ${access.board.title}`}>
        {access.methods.includes('passkey') ? (
          <Section title="Passkey">
            <PasskeyButton
              label="Sign in with a passkey"
              size="sm"
              variant="filled"
              fullWidth
              work={() => answerWithPasskey('/sign-in/passkey')}
              done={signedIn}
            />
          </Section>
        ) : null}
        {recovering ? <RecoveryCode /> : <Passphrase />}
        <button
          type="button"
          className="link"
          onClick={() => setRecovering((it) => !it)}
        >
          {recovering
            ? 'Sign in with a passphrase instead'
            : 'Your device is gone? Use a recovery code'}
        </button>
        <p className="dim">
          There is no account to apply for: an operator gets a link from an
          admin of the board, or from <code>reserve-board operator invite</code>{' '}
          on the machine itself.
        </p>
      </Page>
    </main>
  );
}

const NAME = { label: 'Name', autoComplete: 'username', required: true };

function Passphrase() {
  const form = useForm({ name: '', passphrase: '', totp: '' });
  const work = useMutation({
    mutationFn: () =>
      post<'sign_in.passphrase'>('/sign-in/passphrase', form.values),
    onSuccess: signedIn,
    onError: () => form.set('totp')(''),
  });
  return (
    <Section title="Passphrase">
      <Form
        label="Sign in"
        size="sm"
        send={work.mutate}
        work={work}
        form={form}
      >
        <TextInput {...NAME} {...form.field('name')} />
        <PassphraseFields form={form} />
      </Form>
    </Section>
  );
}

function RecoveryCode() {
  const form = useForm({ name: '', code: '' });
  const work = useMutation({
    mutationFn: () =>
      post<'sign_in.recovery'>('/sign-in/recovery', form.values),
    onSuccess: signedIn,
  });
  return (
    <Section title="Recovery code">
      <Form
        label="Sign in with the code"
        size="sm"
        send={work.mutate}
        work={work}
        form={form}
      >
        <TextInput {...NAME} {...form.field('name')} />
        <TextInput
          label="Recovery code"
          description="Capitals, spaces and hyphens make no difference."
          autoComplete="off"
          required
          {...form.field('code')}
        />
      </Form>
      <p className="dim">
        Then enrol a new passkey or passphrase under “Your account”.
      </p>
    </Section>
  );
}
