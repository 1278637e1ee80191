import {
  MODERATION_ACTIONS,
  MODERATION_REASONS,
} from '../../../protocol/moderation.js';
import { ROOMS } from '../../../protocol/room.js';
import { Choice } from '../../parts/Choice.js';
import { Filters } from '../../parts/Filters.js';
import { Typed } from '../../parts/Typed.js';

export function DecisionFilterBar() {
  return (
    <Filters>
      <Choice label="Action" name="action" options={MODERATION_ACTIONS} />
      <Choice label="Reason" name="reason" options={MODERATION_REASONS} />
      <Choice label="Room" name="room" options={ROOMS} />
      <Typed label="Operator’s alias" name="operator" />
      <Typed label="Message" name="message_id" />
      <Typed label="From (UTC day)" name="from" type="date" />
      <Typed label="To (UTC day)" name="to" type="date" />
    </Filters>
  );
}
