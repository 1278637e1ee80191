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
  const waiting = STATUSES.filter((it) => it !== 'open');
  return (
    <Filters>
      <Choice
        label="Status"
        name="status"
        none="Open (all)"
        options={waiting}
      />
      <Choice label="Kind" name="kind" options={KINDS} />
      <Choice label="Reason" name="reason" options={MODERATION_REASONS} />
      <Choice label="Room" name="room" options={ROOMS} />
      <Choice
        label="Claimed by"
        name="claimed"
        none="Anybody"
        options={CLAIMED}
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
