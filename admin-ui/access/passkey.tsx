import { Button, type ButtonProps } from '@mantine/core';
import {
  type PublicKeyCredentialCreationOptionsJSON as Creation,
  type PublicKeyCredentialRequestOptionsJSON as Request,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { useMutation } from '@tanstack/react-query';
import type { Account } from '../api/access-answers.js';
import { isRefusal } from '../api/refusal.js';
import { post } from '../api/request.js';
import { Failure } from '../parts/Failure.js';

export async function answerWithPasskey(path: string): Promise<Account> {
  const { options } = await post<{ options: Request }>(`${path}/options`);
  const response = await startAuthentication({ optionsJSON: options });
  return await post<Account>(path, { response });
}

export async function makePasskey<T>(path: string, body: object): Promise<T> {
  const asked = await post<{ options: Creation }>(`${path}/options`, body);
  const response = await startRegistration({ optionsJSON: asked.options });
  return await post<T>(path, { ...body, response });
}

type Props<T> = ButtonProps & {
  label: string;
  work: () => Promise<T>;
  done: (answer: T) => void;
  refused?: (error: Error) => void;
};

export function PasskeyButton<T>(props: Props<T>) {
  const { label, work, done, refused = () => {}, ...button } = props;
  const { mutate, isPending, error } = useMutation({
    mutationFn: work,
    onSuccess: done,
    onError: refused,
  });
  return (
    <>
      <Button {...button} loading={isPending} onClick={() => mutate()}>
        {label}
      </Button>
      {error === null || isRefusal(error) ? (
        <Failure error={error} />
      ) : (
        <p className="fault" role="alert">
          The device gave no passkey: it was cancelled, took too long, or there
          is none for this board. Try again, or use the passphrase.
        </p>
      )}
    </>
  );
}
