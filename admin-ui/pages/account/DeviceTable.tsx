import { Button } from '@mantine/core';
import type { Device } from '../../api/access-answers.js';
import { DataTable } from '../../parts/DataTable.js';
import { Inert } from '../../parts/Inert.js';
import { Tag } from '../../parts/Tag.js';
import { Time } from '../../parts/Time.js';

type Props = { devices: readonly Device[]; end?: (id: string) => void };

/** Devices that are signed in, the last used first. */
export function DeviceTable({ devices, end }: Props) {
  if (devices.length === 0) return <p className="dim">None is signed in.</p>;
  return (
    <DataTable
      caption="Devices that are signed in"
      data={devices}
      rowId={({ id }) => id}
      columns={[
        {
          head: 'Device',
          cell: ({ label, current }) => (
            <>
              <Inert text={label} />{' '}
              {current ? <Tag tone="info">This one</Tag> : null}
            </>
          ),
        },
        { head: 'By', cell: ({ method }) => method },
        { head: 'Since', cell: (it) => <Time at={it.created_at} /> },
        { head: 'Last used', cell: (it) => <Time at={it.seen_at} /> },
        { head: 'Ends', cell: (it) => <Time at={it.expires_at} /> },
        ...(end === undefined
          ? []
          : [
              {
                head: 'Sign out',
                cell: ({ id, label }: Device) => (
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={`Sign out ${label}`}
                    onClick={() => end(id)}
                  >
                    Sign out
                  </Button>
                ),
              },
            ]),
      ]}
    />
  );
}
