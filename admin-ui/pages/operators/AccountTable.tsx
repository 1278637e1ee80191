import { Button } from '@mantine/core';
import { useMay } from '../../access/use-access.js';
import type { ListedOperator } from '../../api/access-answers.js';
import { usePost } from '../../api/use-post.js';
import { DataTable } from '../../parts/DataTable.js';
import { Failure } from '../../parts/Failure.js';
import { counted } from '../../parts/figures.js';
import { Inert } from '../../parts/Inert.js';
import { Section } from '../../parts/Section.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';
import { AccountActions } from './AccountActions.js';

type Props = {
  accounts: readonly ListedOperator[];
  choose: (id: string) => void;
};

function credentials({ credentials: it }: ListedOperator): string {
  const parts = [
    ...(it.passkeys === 0 ? [] : [counted(it.passkeys, 'passkey')]),
    ...(it.passphrase ? ['passphrase'] : []),
  ];
  return parts.length === 0 ? 'none' : parts.join(', ');
}

export function AccountTable({ accounts, choose }: Props) {
  const admin = useMay('admin');
  const change = usePost(['/operators', '/audit']);
  return (
    <Section title="Accounts">
      <DataTable
        caption="Operators by name"
        data={accounts}
        rowId={({ id }) => id}
        columns={[
          { head: 'Name', cell: ({ name }) => name },
          { head: 'Public alias', cell: ({ alias }) => <Inert text={alias} /> },
          { head: 'Role', cell: ({ role }) => role },
          {
            head: 'State',
            cell: ({ state }) => (
              <Tag tone={state === 'active' ? 'good' : 'bad'}>{state}</Tag>
            ),
          },
          { head: 'Signs in with', cell: credentials },
          {
            head: 'Last seen',
            cell: ({ last_seen_at: at }) =>
              at === null ? 'not signed in' : <Time at={at} />,
          },
          {
            head: 'Sessions',
            cell: (it) => (
              <Button
                size="compact-xs"
                variant="default"
                onClick={() => choose(it.id)}
                aria-label={`Sessions of ${it.name}: ${it.sessions}`}
              >
                {it.sessions}
              </Button>
            ),
          },
          ...(admin
            ? [
                {
                  head: 'Change',
                  cell: (it: ListedOperator) => (
                    <AccountActions operator={it} change={change} />
                  ),
                },
              ]
            : []),
        ]}
      />
      {change.error === null ? null : <Failure error={change.error} />}
    </Section>
  );
}
