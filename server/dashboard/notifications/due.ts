import type {
  NotificationChannel,
  NotificationDelivery,
} from '../../db/entities/notification.js';
import { type Quiet, quietUntil } from '../schemas/quiet-hours.js';

const MINUTE_MS = 60_000;
/** Between two deliveries to a channel, so that a flood is no flood of them. */
const GAP_MS = MINUTE_MS;
/** After the first failure, the second and so on; then it is dead. */
const AGAIN_MS = [0.5, 2, 10, 30, 120, 360].map((it) => it * MINUTE_MS);

export function quietOf(channel: NotificationChannel): Quiet | null {
  const { quietFrom: from, quietTo: to, timeZone: time_zone } = channel;
  if (from === null || to === null || time_zone === null) return null;
  return { from, to, time_zone };
}

/**
 * When a new delivery is sent: after its digest, some time after the one before,
 * not before that is tried again, and outside of quiet hours.
 */
export function dueAt(
  now: number,
  digestMinutes: number,
  quiet: Quiet | null,
  former: Pick<NotificationDelivery, 'state' | 'dueAt' | 'sentAt'> | null,
): number {
  const due = Math.max(
    now + digestMinutes * MINUTE_MS,
    former?.state === 'waiting' ? former.dueAt : 0,
    (former?.sentAt ?? -GAP_MS) + GAP_MS,
  );
  return quietUntil(due, quiet) ?? due;
}

/** When it is tried again after so many attempts; null: no more. */
export function againAt(now: number, attempts: number): number | null {
  const wait = AGAIN_MS[attempts - 1];
  return wait === undefined ? null : now + wait;
}
