import { Button, type ButtonProps } from '@mantine/core';
import {
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { useMutation } from '@tanstack/react-query';
import type { CommandAnswers } from '../../server/dashboard/all-commands.js';
import type { AccountAnswer } from '../../server/dashboard/auth/fields.js';
import { isRefusal, post } from '../api/request.js';
import { Failure } from '../parts/Answered.js';

export async function answerWithPasskey(path: string): Promise<AccountAnswer> {
  const { options } = await post<'sign_in.passkey_options'>(`${path}/options`);
  const response = await startAuthentication({ optionsJSON: options });
  return await post<'sign_in.passkey'>(path, { response });
}

export async function makePasskey<
  N extends 'setup.passkey' | 'credential.passkey',
>(path: string, body: object): Promise<CommandAnswers[N]> {
  const asked = await post<'setup.passkey_options'>(`${path}/options`, body);
  const response = await startRegistration({ optionsJSON: asked.options });
  return await post<N>(path, { ...body, response });
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
