import { Button } from '@mantine/core';
import type { CommandAnswers } from '../../../server/dashboard/all-commands.js';
import { ROLES } from '../../../server/dashboard/roles.js';
import { useMay } from '../../access/use-access.js';
import { usePost } from '../../api/ask.js';
import { Failure } from '../../parts/Answered.js';
import { ConfirmButton } from '../../parts/ConfirmButton.js';
import { type Columns, DataTable } from '../../parts/DataTable.js';
import { counted } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { Section } from '../../parts/Page.js';
import { Select } from '../../parts/Select.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';

export type ListedOperator = CommandAnswers['operator.list']['data'][number];

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

export function AccountTable({ accounts, choose }: Props) {
  const admin = useMay('admin');
  const change = usePost(['/operators', '/audit']);
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
      send={(what, body = {}) =>
        change.mutate({ path: `/operators/${it.id}/${what}`, body })
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
  send: (what: string, body?: object) => void;
};

/** An account's decisions always stay. */
function Changes({ operator: { name, role, state }, send }: ChangesProps) {
  const active = state === 'active';
  return (
    <span className="row">
      <Select
        size="xs"
        aria-label={`Role of ${name}`}
        options={ROLES}
        words={(it) => it}
        value={role}
        choose={(chosen) => send('role', { role: chosen })}
      />
      <ConfirmButton
        label={active ? 'Disable' : 'Enable'}
        ariaLabel={`${active ? 'Disable' : 'Enable'} ${name}`}
        act={() => send(active ? 'disable' : 'enable')}
      >
        {active
          ? `${name} is signed out everywhere and cannot sign in until the account is enabled again.`
          : `${name} can sign in again, as ${role}.`}
      </ConfirmButton>
      <ConfirmButton
        label="Sign out"
        ariaLabel={`Sign out ${name} everywhere`}
        act={() => send('sign-out')}
      >
        Every device of {name} has to sign in again.
      </ConfirmButton>
    </span>
  );
}
