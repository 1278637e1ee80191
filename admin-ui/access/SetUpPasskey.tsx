import { Button } from '@mantine/core';
import {
  type PublicKeyCredentialCreationOptionsJSON,
  startRegistration,
} from '@simplewebauthn/browser';
import { useMutation } from '@tanstack/react-query';
import type { Enrolled } from '../api/access-answers.js';
import { post } from '../api/request.js';
import { Section } from '../parts/Section.js';
import { PasskeyFailure } from './PasskeyFailure.js';

export type SetUpProps = {
  /** The code and the names, as the node takes them. */
  chosen: { code: string; name?: string; alias?: string };
  ready: boolean;
  done: (it: Enrolled) => void;
};

type Asked = { options: PublicKeyCredentialCreationOptionsJSON };

/** Makes a passkey on this device and sends it to `path`. */
export async function makePasskey<T>(path: string, body: object): Promise<T> {
  const { options } = await post<Asked>(`${path}/options`, body);
  const response = await startRegistration({ optionsJSON: options });
  return await post<T>(path, { ...body, response });
}

export function SetUpPasskey({ chosen, ready, done }: SetUpProps) {
  const work = useMutation({
    mutationFn: () => makePasskey<Enrolled>('/setup/passkey', chosen),
    onSuccess: done,
  });
  return (
    <Section title="Passkey">
      <p>Your device keeps the key; nothing has to be remembered.</p>
      <Button
        onClick={() => work.mutate()}
        loading={work.isPending}
        disabled={!ready}
      >
        Make a passkey on this device
      </Button>
      <PasskeyFailure error={work.error} />
    </Section>
  );
}
