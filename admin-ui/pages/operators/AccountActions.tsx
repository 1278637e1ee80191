import { NativeSelect } from '@mantine/core';
import { type ListedOperator, ROLES } from '../../api/access-answers.js';
import type { usePost } from '../../api/use-post.js';
import { ConfirmButton } from '../../parts/ConfirmButton.js';

type Props = {
  operator: ListedOperator;
  change: ReturnType<typeof usePost>;
};

/** What an admin can change of an account; its decisions always stay. */
export function AccountActions({ operator, change }: Props) {
  const { id, name, role, state } = operator;
  const send = (what: string, body: object = {}) =>
    change.mutate({ path: `/operators/${id}/${what}`, body });
  return (
    <span className="row">
      <NativeSelect
        size="xs"
        aria-label={`Role of ${name}`}
        value={role}
        data={[...ROLES]}
        onChange={({ currentTarget }) =>
          send('role', { role: currentTarget.value })
        }
      />
      {state === 'active' ? (
        <ConfirmButton
          label="Disable"
          ariaLabel={`Disable ${name}`}
          act={() => send('disable')}
        >
          {name} is signed out everywhere and cannot sign in until the account
          is enabled again.
        </ConfirmButton>
      ) : (
        <ConfirmButton
          label="Enable"
          ariaLabel={`Enable ${name}`}
          act={() => send('enable')}
        >
          {name} can sign in again, as {role}.
        </ConfirmButton>
      )}
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
