import { TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { CommandAnswers } from '../../server/dashboard/all-commands.js';
import { queryClient } from '../api/query-client.js';
import { post } from '../api/request.js';
import { Answered } from '../parts/Answered.js';
import { Form, useForm } from '../parts/Form.js';
import { Empty, Page, Section } from '../parts/Page.js';
import { Time } from '../parts/Time.js';
import { PassphraseFields } from './PassphraseFields.js';
import { makePasskey, PasskeyButton } from './passkey.js';
import { RecoveryCodes } from './RecoveryCodes.js';
import { TotpSecret } from './TotpSecret.js';

/** Its code is behind #, which no server sees. */
export function SetUpPage() {
  const [code] = useState(() => window.location.hash.slice(1));
  const [enrolled, setEnrolled] = useState<Enrolled | null>(null);
  const go = useNavigate();
  const look = useQuery({
    queryKey: ['setup', code],
    queryFn: () => post<'setup.look'>('/setup/look', { code }),
    enabled: code !== '' && enrolled === null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const enter = async () => {
    await queryClient.invalidateQueries({ queryKey: ['access'] });
    await go({ to: '/', replace: true });
  };
  return (
    <main className="alone">
      {enrolled === null ? (
        <Page title="Set up your account">
          {code === '' ? (
            <Empty title="This address is not a whole set-up link.">
              Copy it again, with everything behind the sign #.
            </Empty>
          ) : (
            <Answered of={look} what="the set-up link">
              {(found) => (
                <SetUpForm code={code} look={found} done={setEnrolled} />
              )}
            </Answered>
          )}
        </Page>
      ) : (
        <Page title="Your recovery codes">
          <RecoveryCodes
            codes={enrolled.recovery_codes}
            done={() => void enter()}
          />
        </Page>
      )}
    </main>
  );
}

type Enrolled = CommandAnswers['setup.passphrase'];

/** As `operatorName` on the node. */
const NAME = /^[a-z0-9](?:[a-z0-9._-]{0,30}[a-z0-9])?$/;
const NAME_RULE =
  '1 to 32 lower-case letters, digits, dots, hyphens or underscores, with a letter or digit at both ends';

type Props = {
  code: string;
  look: CommandAnswers['setup.look'];
  done: (it: Enrolled) => void;
};

function SetUpForm({ code, look, done }: Props) {
  const form = useForm({ name: '', alias: '' });
  const passkeys = look.methods.includes('passkey');
  const [byPhrase, setByPhrase] = useState(!passkeys);
  const { name, alias } = form.values;
  const chosen = {
    code,
    ...(look.name === null ? { name } : {}),
    ...(alias.trim() === '' ? {} : { alias }),
  };
  const ready = look.name !== null || NAME.test(name.trim().toLowerCase());
  const Credential = byPhrase ? Passphrase : Passkey;
  const typed = name.trim().toLowerCase();
  const isName = typed === '' || NAME.test(typed);
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
              description={`What you sign in with: ${NAME_RULE}. Readers see it unless you give an alias.`}
              autoComplete="username"
              required
              {...form.field('name')}
              error={isName ? form.field('name').error : `Use ${NAME_RULE}.`}
            />
          ) : null}
          <TextInput
            label="Public alias"
            description="What readers see beside your decisions, permanently. If it is empty, they see the name that you sign in with."
            placeholder={look.name ?? typed}
            autoComplete="off"
            maxLength={48}
            {...form.field('alias')}
          />
        </div>
      </Section>
      <Credential chosen={chosen} ready={ready} names={form} done={done} />
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

type CredentialProps = {
  chosen: { code: string; name?: string; alias?: string };
  ready: boolean;
  names: ReturnType<typeof useForm<{ name: string; alias: string }>>;
  done: (it: Enrolled) => void;
};

function Passkey({ chosen, ready, names, done }: CredentialProps) {
  return (
    <Section title="Passkey">
      <p>Your device keeps the key; nothing has to be remembered.</p>
      <PasskeyButton
        label="Make a passkey on this device"
        size="sm"
        variant="filled"
        disabled={!ready}
        work={() => makePasskey<'setup.passkey'>('/setup/passkey', chosen)}
        done={done}
        refused={names.refuse}
      />
    </Section>
  );
}

function Passphrase({ chosen, ready, names, done }: CredentialProps) {
  const { code } = chosen;
  const offer = useQuery({
    queryKey: ['setup', code, 'totp'],
    queryFn: () => post<'setup.totp'>('/setup/totp', { code }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const form = useForm({ passphrase: '', totp: '' });
  const work = useMutation({
    mutationFn: () =>
      post<'setup.passphrase'>('/setup/passphrase', {
        ...chosen,
        ...form.values,
        totp_token: offer.data?.token ?? '',
      }),
    onSuccess: done,
  });
  const secret = (
    <Answered of={offer} what="a secret for your app">
      {(it) => <TotpSecret offer={it} />}
    </Answered>
  );
  return (
    <Section title="Passphrase and authenticator app">
      <Form
        label="Set up the account"
        size="sm"
        disabled={!ready}
        send={work.mutate}
        work={work}
        form={{
          refuse: (error) => {
            form.refuse(error);
            names.refuse(error);
          },
          shows: (error) => form.shows(error) || names.shows(error),
        }}
      >
        <PassphraseFields form={form} secret={secret} />
      </Form>
    </Section>
  );
}
