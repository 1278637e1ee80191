import { Button } from '@mantine/core';
import { signedOut, useAccess } from '../../access/use-access.js';
import type { Device } from '../../api/access-answers.js';
import { post } from '../../api/request.js';
import { sessionEnded } from '../../api/session-ended.js';
import { useGet } from '../../api/use-ask.js';
import { usePost } from '../../api/use-post.js';
import { Answered } from '../../parts/Answered.js';
import { ConfirmButton } from '../../parts/ConfirmButton.js';
import { Failure } from '../../parts/Failure.js';
import { Page } from '../../parts/Page.js';
import { Section } from '../../parts/Section.js';
import { AliasForm } from './AliasForm.js';
import { CredentialsSection } from './CredentialsSection.js';
import { DeviceTable } from './DeviceTable.js';
import { LookSection } from './LookSection.js';

/** The session ends on the board; the page forgets all it has shown. */
function leave(): void {
  post('/sign-out').then(signedOut, signedOut);
}

/** The own account: names, credentials, devices. */
export function AccountPage() {
  const { data } = useAccess();
  const sessions = useGet<{ data: Device[] }>('/sessions');
  const end = usePost(['/sessions'], sessionEnded);
  const operator = data?.operator;
  return (
    <Page
      title="Your account"
      about={
        operator === undefined
          ? undefined
          : `You sign in as ${operator.name}; your role is ${operator.role}.`
      }
      actions={
        <Button variant="default" onClick={leave}>
          Sign out
        </Button>
      }
    >
      {operator === undefined ? null : <AliasForm alias={operator.alias} />}
      <CredentialsSection />
      <Section
        title="Devices"
        actions={
          <ConfirmButton
            label="Sign out all others"
            busy={end.isPending}
            act={() => end.mutate({ path: '/sessions/revoke-others' })}
          >
            Every device but this one has to sign in again.
          </ConfirmButton>
        }
      >
        <Answered of={sessions} what="your devices">
          {({ data: devices }) => (
            <DeviceTable
              devices={devices}
              end={(id) => end.mutate({ path: `/sessions/${id}/revoke` })}
            />
          )}
        </Answered>
        {end.error === null ? null : <Failure error={end.error} />}
      </Section>
      <LookSection />
    </Page>
  );
}
