import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { CommandAnswers } from '../../../server/dashboard/all-commands.js';
import { ROLES } from '../../../server/dashboard/roles.js';
import { useMay } from '../../access/use-access.js';
import { useGet, usePost } from '../../api/ask.js';
import { Answered, Failure } from '../../parts/Answered.js';
import { CommandLine } from '../../parts/CopyButton.js';
import { type Columns, DataTable } from '../../parts/DataTable.js';
import { ConfirmButton } from '../../parts/Dialog.js';
import { Form, useForm } from '../../parts/Form.js';
import { counted } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { Page, Section } from '../../parts/Page.js';
import { Select } from '../../parts/Select.js';
import { say } from '../../parts/say.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';
import { DeviceTable } from '../account/DeviceTable.js';
import { AuditTrail } from './AuditTrail.js';

export function OperatorsPage() {
  const operators = useGet<'operator.list'>('/operators');
  const admin = useMay('admin');
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <Page
      title="Operators"
      about="Viewers read, moderators decide, admins look after accounts and linked boards."
    >
      <Answered of={operators} what="the accounts">
        {(list) => {
          const { data, invites } = list;
          const one = data.find(({ id }) => id === chosen);
          return (
            <>
              <AccountTable accounts={data} choose={setChosen} />
              {one === undefined ? null : <Sessions operator={one} />}
              {admin ? <InviteForm list={list} /> : null}
              <OpenInvites invites={invites} />
            </>
          );
        }}
      </Answered>
      <AuditTrail />
    </Page>
  );
}

function Sessions({ operator }: { operator: ListedOperator }) {
  const path = `/operators/${operator.id}/sessions`;
  const admin = useMay('admin');
  const sessions = useGet<'operator.sessions'>(path);
  const end = usePost([path, '/operators', '/audit']);
  const endOne = (id: string) => end.mutate({ path: `${path}/${id}/revoke` });
  return (
    <Section title={`Sessions of ${operator.name}`}>
      <Answered of={sessions} what="the sessions">
        {({ data }) => (
          <DeviceTable devices={data} end={admin ? endOne : null} />
        )}
      </Answered>
      <Failure error={end.error} />
    </Section>
  );
}

type ListedOperator = CommandAnswers['operator.list']['data'][number];

type Props = {
  accounts: readonly ListedOperator[];
  choose: (id: string) => void;
};

function credentials({ credentials: it }: ListedOperator): string {
  const parts = [
    ...(it.passkeys === 0 ? [] : [counted(it.passkeys, 'passkey')]),
    ...(it.passphrase ? ['passphrase'] : []),
  ];
  return parts.join(', ') || 'none';
}

function AccountTable({ accounts, choose }: Props) {
  const admin = useMay('admin');
  const change = usePost(RENEWS);
  const columns: Columns<ListedOperator> = {
    Name: ({ name }) => name,
    'Public alias': ({ alias }) => <Inert text={alias} />,
    Role: ({ role }) => role,
    State: ({ state }) => (
      <Tag tone={state === 'active' ? 'good' : 'bad'}>{state}</Tag>
    ),
    'Signs in with': credentials,
    'Last seen': (it) => <Time at={it.last_seen_at} none="not signed in" />,
    Sessions: ({ id, name, sessions }) => (
      <Button
        size="compact-xs"
        onClick={() => choose(id)}
        aria-label={`Sessions of ${name}: ${sessions}`}
      >
        {sessions}
      </Button>
    ),
  };
  const Change = (it: ListedOperator) => (
    <Changes
      operator={it}
      send={(what, done, body = {}) =>
        change.mutate(
          { path: `/operators/${it.id}/${what}`, body },
          { onSuccess: () => say(done) },
        )
      }
    />
  );
  return (
    <Section title="Accounts">
      <DataTable
        caption="Operators by name"
        data={accounts}
        rowId={({ id }) => id}
        columns={admin ? { ...columns, Change } : columns}
      />
      <Failure error={change.error} />
    </Section>
  );
}

type ChangesProps = {
  operator: ListedOperator;
  /** `done`: said when it is done. */
  send: (what: string, done: string, body?: object) => void;
};

/** An account's decisions always stay. */
function Changes({ operator: { name, role, state }, send }: ChangesProps) {
  const active = state === 'active';
  const turn = active ? 'Disable' : 'Enable';
  const to = turn.toLowerCase();
  const [chosen, setChosen] = useState(role);
  const seen = { role, state };
  return (
    <span className="row">
      <ConfirmButton
        label="Change role"
        ariaLabel={`Change role of ${name}`}
        disabled={chosen === role}
        act={() =>
          send('role', `${name} is now ${chosen}.`, { role: chosen, seen })
        }
      >
        <p className="tight">
          {name} is {role}. It changes at once, and links that {name} made with
          a right that is lost end.
        </p>
        <Select
          label="New role"
          options={ROLES}
          words={(it) => it}
          value={chosen}
          choose={setChosen}
        />
      </ConfirmButton>
      <ConfirmButton
        label={turn}
        ariaLabel={`${turn} ${name}`}
        act={() => send(to, `${name} is ${to}d.`, { seen })}
      >
        {active
          ? `${name} is signed out everywhere and cannot sign in until the account is enabled again.`
          : `${name} can sign in again, as ${role}.`}
      </ConfirmButton>
      <ConfirmButton
        label="Sign out"
        ariaLabel={`Sign out ${name} everywhere`}
        act={() => send('sign-out', `${name} is signed out everywhere.`)}
      >
        Every device of {name} has to sign in again.
      </ConfirmButton>
    </span>
  );
}

const RENEWS = ['/operators', '/audit'];

/** The link is shown only once. */
function InviteForm({ list }: { list: CommandAnswers['operator.list'] }) {
  const form = useForm({ name: '', role: 'moderator' });
  const invite = usePost<'operator.invite'>(RENEWS, form.reset);
  const { data } = invite;
  const name = form.values.name.trim().toLowerCase();
  const link = list.invites.find((it) => it.name === name);
  const seen = link ? { role: link.role, expires_at: link.expires_at } : null;
  const send = () =>
    invite.mutate({
      path: '/operators/invite',
      body: { ...form.values, seen },
    });
  return (
    <Section title="Invite">
      <Form
        grid
        label="Make a link"
        size="sm"
        send={send}
        work={invite}
        form={form}
      >
        <TextInput
          label="Name to sign in with"
          required
          maxLength={32}
          autoComplete="off"
          {...form.field('name')}
        />
        <NativeSelect label="Role" data={[...ROLES]} {...form.field('role')} />
        {link ? (
          <p className="tight">
            A new link ends the one that {link.made_by ?? 'the command line'}{' '}
            made for {name}.
          </p>
        ) : null}
        {list.data.some((it) => it.name === name) ? (
          <Checkbox
            required
            label={`${name} exists: replace all its sign-in methods, and its role`}
          />
        ) : null}
      </Form>
      <p className="dim">
        For a name that exists, the link replaces its sign-in methods: the way
        back in for somebody who lost them.
      </p>
      <div role="status">
        {data === undefined ? null : (
          <div className="preview">
            <p className="tight">
              For {data.name}, as {data.role}. It works once and ends{' '}
              <Time at={data.expires_at} />. It is shown only now:
            </p>
            <CommandLine text={data.url} what="link" />
          </div>
        )}
      </div>
    </Section>
  );
}

/** Their codes are stored nowhere. */
function OpenInvites({
  invites,
}: Pick<CommandAnswers['operator.list'], 'invites'>) {
  const admin = useMay('admin');
  const cancel = usePost(RENEWS, () => say('The link is cancelled.'));
  const path = (name: string) =>
    `/operators/invites/${encodeURIComponent(name)}/cancel`;
  if (invites.length === 0) return null;
  return (
    <Section title="Open links">
      <ul className="plain">
        {invites.map(({ name, made_by: by, ...seen }) => (
          <li key={name} className="row">
            <span className="grow">
              {name}, {seen.role}, made by {by ?? 'the command line'}, ends{' '}
              <Time at={seen.expires_at} />
            </span>
            {admin ? (
              <ConfirmButton
                label="Cancel the link"
                ariaLabel={`Cancel the link for ${name}`}
                act={() => cancel.mutate({ path: path(name), body: { seen } })}
              >
                The link opens nothing any more.
              </ConfirmButton>
            ) : null}
          </li>
        ))}
      </ul>
      <Failure error={cancel.error} />
    </Section>
  );
}
