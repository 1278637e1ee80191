import type { NotificationDelivery } from '../../db/entities/notification.js';

const MINUTE_MS = 60_000;
/** Between two deliveries to a channel, so that a flood is no flood of them. */
const GAP_MS = MINUTE_MS;
/** After the first failure, the second and so on; then it is dead. */
const AGAIN_MS = [0.5, 2, 10, 30, 120, 360].map((it) => it * MINUTE_MS);

/** Some time after the one before, and not before that is tried again. */
export function dueAt(
  now: number,
  former: Pick<NotificationDelivery, 'state' | 'dueAt' | 'sentAt'> | null,
): number {
  return Math.max(
    now,
    former?.state === 'waiting' ? former.dueAt : 0,
    (former?.sentAt ?? -GAP_MS) + GAP_MS,
  );
}

/** When it is tried again after so many attempts; null: no more. */
export function againAt(now: number, attempts: number): number | null {
  const wait = AGAIN_MS[attempts - 1];
  return wait === undefined ? null : now + wait;
}
