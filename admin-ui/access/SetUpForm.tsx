import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Enrolled, SetupLook } from '../api/access-answers.js';
import { Section } from '../parts/Section.js';
import { Time } from '../parts/Time.js';
import { useForm } from '../parts/use-form.js';
import { SetUpPasskey } from './SetUpPasskey.js';
import { SetUpPassphrase } from './SetUpPassphrase.js';

type Props = {
  code: string;
  look: SetupLook;
  done: (it: Enrolled) => void;
};

/** Who the link is for, the two names, and a credential. */
export function SetUpForm({ code, look, done }: Props) {
  const form = useForm({ name: '', alias: '' });
  const passkeys = look.methods.includes('passkey');
  const [byPhrase, setByPhrase] = useState(!passkeys);
  const { name, alias } = form.values;
  const chosen = {
    code,
    ...(look.name === null ? { name } : {}),
    ...(alias.trim() === '' ? {} : { alias }),
  };
  const ready = look.name !== null || name.trim() !== '';
  return (
    <>
      <p>
        This link makes {look.name === null ? 'you' : <b>{look.name}</b>} an
        operator of {look.board.title} with the role <b>{look.role}</b>. It
        works once and ends <Time at={look.expires_at} />.
      </p>
      <Section title="Names">
        <div className="stack">
          {look.name === null ? (
            <TextInput
              label="Name"
              description="What you sign in with: letters a to z, digits, dot, hyphen."
              autoComplete="username"
              required
              {...form.field('name')}
            />
          ) : null}
          <TextInput
            label="Public alias"
            description="What readers see beside your decisions, for ever. Leave it empty to use your name."
            autoComplete="off"
            maxLength={48}
            {...form.field('alias')}
          />
        </div>
      </Section>
      {passkeys && !byPhrase ? (
        <SetUpPasskey chosen={chosen} ready={ready} done={done} />
      ) : (
        <SetUpPassphrase chosen={chosen} ready={ready} done={done} />
      )}
      {passkeys ? (
        <button
          type="button"
          className="link"
          onClick={() => setByPhrase((it) => !it)}
        >
          {byPhrase
            ? 'Use a passkey instead'
            : 'No passkey? Use a passphrase and an authenticator app'}
        </button>
      ) : (
        <p className="dim">
          A passkey needs https and a host name; at this address only a
          passphrase is possible.
        </p>
      )}
    </>
  );
}
