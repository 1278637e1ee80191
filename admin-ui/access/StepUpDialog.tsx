import { Button, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { Account } from '../api/access-answers.js';
import { isRefusal } from '../api/refusal.js';
import { post } from '../api/request.js';
import { sessionEnded } from '../api/session-ended.js';
import { stepUp } from '../api/step-up.js';
import { live } from '../live/live-socket.js';
import { Dialog } from '../parts/Dialog.js';
import { Failure } from '../parts/Failure.js';
import { useForm } from '../parts/use-form.js';
import { CodeInput } from './CodeInput.js';
import { PasskeyFailure } from './PasskeyFailure.js';
import { answerWithPasskey } from './PasskeySignIn.js';
import { signedIn, useAccess } from './use-access.js';

/** Asks for the credential again before accounts, keys or peers change. */
export function StepUpDialog() {
  const open = useSyncExternalStore(stepUp.subscribe, stepUp.isOpen);
  return (
    <Dialog
      title="Is it still you?"
      opened={open}
      close={() => stepUp.finish(false)}
      closeLabel="Close and change nothing"
    >
      <StepUp />
    </Dialog>
  );
}

function given(account: Account): void {
  signedIn(account);
  live.renew();
  stepUp.finish(true);
}

function refused(error: Error): void {
  if (isRefusal(error) && error.scope === 'session') {
    stepUp.finish(false);
    sessionEnded();
  }
}

function StepUp() {
  const { data } = useAccess();
  const form = useForm({ passphrase: '', totp: '' });
  const passkey = useMutation({
    mutationFn: () => answerWithPasskey('/step-up/passkey'),
    onSuccess: given,
    onError: refused,
  });
  const passphrase = useMutation({
    mutationFn: () => post<Account>('/step-up/passphrase', form.values),
    onSuccess: given,
    onError: refused,
  });
  return (
    <>
      <p className="tight">
        This changes accounts, keys or linked boards, and you last gave your
        credential more than 10 minutes ago. Nothing has been done yet.
      </p>
      {data?.methods.includes('passkey') ? (
        <Button onClick={() => passkey.mutate()} loading={passkey.isPending}>
          Use the passkey
        </Button>
      ) : null}
      <PasskeyFailure error={passkey.error} />
      <form onSubmit={form.submit(() => passphrase.mutate())} className="stack">
        <PasswordInput
          label="Passphrase"
          autoComplete="current-password"
          required
          visibilityToggleButtonProps={{ 'aria-label': 'Show the passphrase' }}
          {...form.field('passphrase')}
        />
        <CodeInput {...form.field('totp')} />
        <Button type="submit" variant="default" loading={passphrase.isPending}>
          Use the passphrase
        </Button>
        {passphrase.error === null ? null : (
          <Failure error={passphrase.error} />
        )}
      </form>
    </>
  );
}
