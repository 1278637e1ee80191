import { Checkbox } from '@mantine/core';
import { MODERATION_REASONS } from '../../../protocol/moderation.js';
import { ROOMS } from '../../../protocol/room.js';
import { Choice } from '../../parts/Choice.js';
import { Filters } from '../../parts/Filters.js';
import { useAddress } from '../../shell/use-address.js';
import { CLAIMED, KINDS, STATUSES } from './queue-input.js';

/** The filters stand in the address, so they can be kept and shared. */
export function QueueFilterBar() {
  const { search, change } = useAddress();
  const filter = (name: string) => ({
    value: search[name],
    change: (value: string | undefined) => change({ [name]: value }),
  });
  return (
    <Filters>
      <Choice
        label="Status"
        none="Open (all)"
        options={STATUSES.filter((it) => it !== 'open')}
        {...filter('status')}
      />
      <Choice label="Kind" none="All" options={KINDS} {...filter('kind')} />
      <Choice
        label="Reason"
        none="All"
        options={MODERATION_REASONS}
        {...filter('reason')}
      />
      <Choice label="Room" none="All" options={ROOMS} {...filter('room')} />
      <Choice
        label="Claimed by"
        none="Anybody"
        options={CLAIMED}
        {...filter('claimed')}
      />
      <Checkbox
        label="With an appeal"
        checked={search.appeals === 'true'}
        onChange={({ currentTarget }) =>
          change({ appeals: currentTarget.checked ? 'true' : undefined })
        }
      />
    </Filters>
  );
}
