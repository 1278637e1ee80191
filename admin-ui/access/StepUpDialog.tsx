import { useMutation } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { AccountAnswer } from '../../server/dashboard/auth/fields.js';
import { sessionEnded } from '../api/query-client.js';
import { isRefusal, post } from '../api/request.js';
import { stepUp } from '../api/step-up.js';
import { live } from '../live/live-socket.js';
import { Dialog } from '../parts/Dialog.js';
import { Form, useForm } from '../parts/Form.js';
import { PassphraseFields } from './PassphraseFields.js';
import { answerWithPasskey, PasskeyButton } from './passkey.js';
import { signedIn, useAccess } from './use-access.js';

/** Before accounts, keys or peers change. */
export function StepUpDialog() {
  const open = useSyncExternalStore(stepUp.changes.add, stepUp.isOpen);
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

function given(account: AccountAnswer): void {
  signedIn(account);
  live.renew();
  stepUp.finish(true);
}

function refused(error: Error): void {
  if (!isRefusal(error) || error.body.scope !== 'session') return;
  stepUp.finish(false);
  sessionEnded();
}

function StepUp() {
  const { data } = useAccess();
  const form = useForm({ passphrase: '', totp: '' });
  const passphrase = useMutation({
    mutationFn: () =>
      post<'step_up.passphrase'>('/step-up/passphrase', form.values),
    onSuccess: given,
    onError: refused,
  });
  return (
    <>
      <p className="tight">
        This changes accounts, keys or linked boards, and you last used your
        sign-in method more than 10 minutes ago. Nothing has been done yet.
      </p>
      {data?.methods.includes('passkey') ? (
        <PasskeyButton
          label="Use the passkey"
          size="sm"
          variant="filled"
          work={() => answerWithPasskey('/step-up/passkey')}
          done={given}
          refused={refused}
        />
      ) : null}
      <Form
        label="Use the passphrase"
        size="sm"
        variant="default"
        send={passphrase.mutate}
        work={passphrase}
        form={form}
      >
        <PassphraseFields form={form} />
      </Form>
    </>
  );
}
