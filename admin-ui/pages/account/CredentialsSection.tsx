import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { PasskeyFailure } from '../../access/PasskeyFailure.js';
import { RecoveryCodes } from '../../access/RecoveryCodes.js';
import { makePasskey } from '../../access/SetUpPasskey.js';
import { useAccess } from '../../access/use-access.js';
import type { Credentials } from '../../api/access-answers.js';
import { withCredential } from '../../api/ask.js';
import { queryClient } from '../../api/query-client.js';
import { useGet } from '../../api/use-ask.js';
import { usePost } from '../../api/use-post.js';
import { Answered } from '../../parts/Answered.js';
import { ConfirmButton } from '../../parts/ConfirmButton.js';
import { Failure } from '../../parts/Failure.js';
import { Section } from '../../parts/Section.js';
import { PasskeyList } from './PasskeyList.js';
import { PassphraseForm } from './PassphraseForm.js';

const PATH = '/credentials';

function renew(): void {
  void queryClient.invalidateQueries({ queryKey: ['get', PATH] });
}

/** What opens the account. Two ways are better than one. */
export function CredentialsSection() {
  const credentials = useGet<Credentials>(PATH);
  const passkeys = useAccess().data?.methods.includes('passkey') ?? false;
  const [codes, setCodes] = useState<string[] | null>(null);
  const add = useMutation({
    mutationFn: () => withCredential(() => makePasskey(`${PATH}/passkey`, {})),
    onSuccess: renew,
  });
  const recovery = usePost<{ recovery_codes: string[] }>([PATH], (it) =>
    setCodes(it.recovery_codes),
  );
  return (
    <Section title="Credentials">
      <Answered of={credentials} what="your credentials">
        {(it) => (
          <div className="stack">
            <PasskeyList passkeys={it.passkeys} />
            {passkeys ? (
              <div>
                <Button
                  size="xs"
                  variant="default"
                  loading={add.isPending}
                  onClick={() => add.mutate()}
                >
                  Add a passkey of this device
                </Button>
              </div>
            ) : null}
            <PasskeyFailure error={add.error} />
            <PassphraseForm since={it.passphrase?.created_at ?? null} />
            <h3>Recovery codes</h3>
            <p className="tight">
              {it.recovery_codes_left} of 10 are left.{' '}
              <ConfirmButton
                label="Make new codes"
                busy={recovery.isPending}
                act={() => recovery.mutate({ path: `${PATH}/recovery` })}
              >
                All older codes stop working.
              </ConfirmButton>
            </p>
            {recovery.error === null ? null : (
              <Failure error={recovery.error} />
            )}
            {codes === null ? null : (
              <RecoveryCodes codes={codes} done={() => setCodes(null)} />
            )}
          </div>
        )}
      </Answered>
    </Section>
  );
}
