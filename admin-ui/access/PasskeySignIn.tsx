import { Button } from '@mantine/core';
import {
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
} from '@simplewebauthn/browser';
import { useMutation } from '@tanstack/react-query';
import type { Account } from '../api/access-answers.js';
import { post } from '../api/request.js';
import { Section } from '../parts/Section.js';
import { PasskeyFailure } from './PasskeyFailure.js';
import { signedIn } from './use-access.js';

type Asked = { options: PublicKeyCredentialRequestOptionsJSON };

/** Asks the device and sends its answer to `path`. */
export async function answerWithPasskey(path: string): Promise<Account> {
  const { options } = await post<Asked>(`${path}/options`);
  const response = await startAuthentication({ optionsJSON: options });
  return await post<Account>(path, { response });
}

export function PasskeySignIn() {
  const work = useMutation({
    mutationFn: () => answerWithPasskey('/sign-in/passkey'),
    onSuccess: signedIn,
  });
  return (
    <Section title="Passkey">
      <Button onClick={() => work.mutate()} loading={work.isPending} fullWidth>
        Sign in with a passkey
      </Button>
      <PasskeyFailure error={work.error} />
    </Section>
  );
}
