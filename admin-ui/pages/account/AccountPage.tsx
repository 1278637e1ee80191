import {
  Button,
  type MantineColorScheme,
  TextInput,
  useMantineColorScheme,
} from '@mantine/core';
import { useAccess } from '../../access/use-access.js';
import { useGet, usePost } from '../../api/ask.js';
import { sessionEnded } from '../../api/query-client.js';
import { post } from '../../api/request.js';
import { Answered, Failure } from '../../parts/Answered.js';
import { ConfirmButton } from '../../parts/Dialog.js';
import { Form, useForm } from '../../parts/Form.js';
import { Page, Section } from '../../parts/Page.js';
import { Select } from '../../parts/Select.js';
import { say } from '../../parts/say.js';
import { KeySwitch } from '../../shell/HelpDialog.js';
import { CredentialsSection } from './CredentialsSection.js';
import { DeviceTable } from './DeviceTable.js';

function leave(): void {
  post('/sign-out').then(sessionEnded, sessionEnded);
}

export function AccountPage() {
  const { data } = useAccess();
  const sessions = useGet<'session.list'>('/sessions');
  const end = usePost(['/sessions'], sessionEnded);
  const operator = data?.operator;
  return (
    <Page
      title="Your account"
      about={
        operator &&
        `You sign in as ${operator.name}; your role is ${operator.role}.`
      }
      actions={
        <Button size="sm" onClick={leave}>
          Sign out
        </Button>
      }
    >
      {operator && <AliasForm alias={operator.alias} />}
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
        <Failure error={end.error} />
      </Section>
      <ThisBrowser network={data?.network} />
    </Page>
  );
}

function AliasForm({ alias }: { alias: string }) {
  const form = useForm({ alias });
  const save = usePost([], () => {
    say('Your public alias is changed.');
    sessionEnded();
  });
  const send = () => save.mutate({ path: '/account/alias', body: form.values });
  return (
    <Section title="Public alias">
      <Form label="Change" w="fit-content" send={send} work={save} form={form}>
        <TextInput
          label="Alias"
          description="Readers see it beside your decisions from now on. Earlier decisions keep the alias they were made with."
          maxLength={48}
          required
          autoComplete="off"
          {...form.field('alias')}
        />
      </Form>
    </Section>
  );
}

const SCHEMES: Readonly<Record<MantineColorScheme, string>> = {
  auto: 'As the system',
  light: 'Light',
  dark: 'Dark',
};

function ThisBrowser({ network = '…' }: { network: string | undefined }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Section title="This browser">
      <div className="stack">
        <Select
          label="Colours"
          options={['auto', 'light', 'dark']}
          words={(it) => SCHEMES[it]}
          value={colorScheme}
          choose={setColorScheme}
        />
        <KeySwitch />
        <p className="dim tight">
          The board sees this browser as the network {network}.
        </p>
      </div>
    </Section>
  );
}
