import { Button } from '@mantine/core';
import { useState } from 'react';
import type { CommandAnswers } from '../../../server/dashboard/all-commands.js';
import { PassphraseFields } from '../../access/PassphraseFields.js';
import { makePasskey, PasskeyButton } from '../../access/passkey.js';
import { RecoveryCodes } from '../../access/RecoveryCodes.js';
import { TotpSecret } from '../../access/TotpSecret.js';
import { useAccess } from '../../access/use-access.js';
import { useGet, usePost, withCredential } from '../../api/ask.js';
import { reread } from '../../api/query-client.js';
import { Answered, Failure } from '../../parts/Answered.js';
import { ConfirmButton } from '../../parts/Dialog.js';
import { Form, useForm } from '../../parts/Form.js';
import { Inert } from '../../parts/Inert.js';
import { Section } from '../../parts/Page.js';
import { say } from '../../parts/say.js';
import { Time } from '../../parts/Time.js';

const PATH = '/credentials';

export function CredentialsSection() {
  const credentials = useGet<'credential.list'>(PATH);
  return (
    <Section title="Sign-in methods">
      <Answered of={credentials} what="your sign-in methods">
        {(it) => (
          <div className="stack">
            <Passkeys passkeys={it.passkeys} />
            <Passphrase since={it.passphrase?.created_at ?? null} />
            <Recovery left={it.recovery_codes_left} />
          </div>
        )}
      </Answered>
    </Section>
  );
}

function Passkeys({
  passkeys,
}: Pick<CommandAnswers['credential.list'], 'passkeys'>) {
  const possible = useAccess().data?.methods.includes('passkey') ?? false;
  const remove = usePost([PATH, '/sessions']);
  return (
    <>
      <h3>Passkeys</h3>
      {passkeys.length === 0 ? <p className="dim tight">None.</p> : null}
      <ul className="plain">
        {passkeys.map(({ id, label, created_at, used_at }) => (
          <li key={id} className="row">
            <span className="grow">
              <Inert text={label} />, since <Time at={created_at} />,{' '}
              {used_at === null ? 'never used' : 'used '}
              <Time at={used_at} />
            </span>
            <ConfirmButton
              label="Remove"
              ariaLabel={`Remove the passkey ${label}`}
              act={() =>
                remove.mutate({ path: `${PATH}/passkey/${id}/remove` })
              }
            >
              It opens nothing any more, and your other devices are signed out.
            </ConfirmButton>
          </li>
        ))}
      </ul>
      <Failure error={remove.error} />
      {possible ? (
        <div>
          <PasskeyButton
            label="Add a passkey of this device"
            work={() =>
              withCredential(() => makePasskey(`${PATH}/passkey`, {}))
            }
            done={() => reread('get', PATH)}
          />
        </div>
      ) : null}
    </>
  );
}

/** Also the first passphrase; each comes with a new secret for the app. */
function Passphrase({ since }: { since: string | null }) {
  const form = useForm({ passphrase: '', totp: '' });
  const offer = usePost<'credential.totp'>([]);
  const save = usePost([PATH, '/sessions'], () => {
    say('The passphrase is set. Your other devices are signed out.');
    form.reset();
    offer.reset();
  });
  const send = () =>
    save.mutate({
      path: `${PATH}/passphrase`,
      body: { ...form.values, totp_token: offer.data?.token ?? '' },
    });
  return (
    <>
      <h3>Passphrase</h3>
      <p className="tight">
        {since === null ? 'None is set' : 'Set '}
        <Time at={since} />.{' '}
        {offer.data === undefined ? (
          <Button
            size="compact-xs"
            loading={offer.isPending}
            onClick={() => offer.mutate({ path: `${PATH}/totp` })}
          >
            {since === null ? 'Set one' : 'Change it'}
          </Button>
        ) : null}
      </p>
      <Failure error={offer.error} />
      {offer.data === undefined ? null : (
        <Form
          label="Set the passphrase"
          w="fit-content"
          send={send}
          work={save}
          form={form}
        >
          <PassphraseFields
            form={form}
            secret={<TotpSecret offer={offer.data} />}
          />
        </Form>
      )}
    </>
  );
}

function Recovery({ left }: { left: number }) {
  const [codes, setCodes] = useState<string[] | null>(null);
  const make = usePost<'credential.recovery'>([PATH], (it) =>
    setCodes(it.recovery_codes),
  );
  return (
    <>
      <h3>Recovery codes</h3>
      <p className="tight">
        {left} of 10 are left.{' '}
        <ConfirmButton
          label="Make new codes"
          busy={make.isPending}
          act={() => make.mutate({ path: `${PATH}/recovery` })}
        >
          All older codes stop working.
        </ConfirmButton>
      </p>
      <Failure error={make.error} />
      {codes === null ? null : (
        <RecoveryCodes codes={codes} done={() => setCodes(null)} />
      )}
    </>
  );
}
