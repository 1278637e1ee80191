import type { NotificationDelivery } from '../../db/entities/notification.js';

const MINUTE_MS = 60_000;
/** Between two deliveries to a channel. */
const GAP_MS = MINUTE_MS;
/** After each failure; then it is dead. */
const AGAIN_MS = [0.5, 2, 10, 30, 120, 360].map((it) => it * MINUTE_MS);

/** After the gap, and not before a pending retry. */
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

/** Null: no more. */
export function againAt(now: number, attempts: number): number | null {
  const wait = AGAIN_MS[attempts - 1];
  return wait === undefined ? null : now + wait;
}
