import type { CommandAnswers } from '../../../server/dashboard/all-commands.js';
import { type Columns, DataTable } from '../../parts/DataTable.js';
import { ConfirmButton } from '../../parts/Dialog.js';
import { Inert } from '../../parts/Inert.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';

type Device = CommandAnswers['session.list']['data'][number];
type Props = { devices: readonly Device[]; end: ((id: string) => void) | null };

const COLUMNS: Columns<Device> = {
  Device: ({ label, current }) => (
    <>
      <Inert text={label} /> {current ? <Tag tone="info">This one</Tag> : null}
    </>
  ),
  By: ({ method }) => method,
  Since: (it) => <Time at={it.created_at} />,
  'Last used': (it) => <Time at={it.seen_at} />,
  Ends: (it) => <Time at={it.expires_at} />,
};

export function DeviceTable({ devices, end }: Props) {
  if (devices.length === 0) return <p className="dim">None is signed in.</p>;
  const signOut = ({ id, label }: Device) => (
    <ConfirmButton
      label="Sign out"
      ariaLabel={`Sign out ${label}`}
      act={() => end?.(id)}
    >
      This device has to sign in again.
    </ConfirmButton>
  );
  return (
    <DataTable
      caption="Devices that are signed in"
      data={devices}
      rowId={({ id }) => id}
      columns={end === null ? COLUMNS : { ...COLUMNS, 'Sign out': signOut }}
    />
  );
}
