import { z } from 'zod';
import {
  type DeliveryState,
  NOTIFICATION_KINDS,
  NOTIFICATION_WAYS,
  type NotificationKind,
  type NotificationWay,
} from '../../db/states.js';
import { limit, time, uuid } from './fields.js';
import { isTimeZone } from './quiet-hours.js';

export { NOTIFICATION_KINDS };

// Notifications (spec/operators.md §5.4): what their commands take and answer.

const minute = z.int().min(0).max(1439);

const quiet = z
  .strictObject({
    from: minute.describe('Minutes after midnight.'),
    to: minute.describe('Minutes after midnight.'),
    time_zone: z
      .string()
      .max(64)
      .refine(isTimeZone, { error: 'must be a time zone, as Europe/Berlin' }),
  })
  .refine(({ from, to }) => from !== to, {
    path: ['to'],
    error: 'must be another time than from',
  });

export const DIGESTS = [0, 60, 1440] as const;

export const saveChannelInput = z.strictObject({
  id: uuid.optional().describe('A channel to change; without it a new one.'),
  of: z
    .enum(['me', 'board'])
    .default('me')
    .describe('`board`: for all operators, set by admins.'),
  way: z.enum(NOTIFICATION_WAYS).describe('Webhooks are set by admins.'),
  kinds: z
    .array(z.enum(NOTIFICATION_KINDS))
    .min(1)
    .max(NOTIFICATION_KINDS.length)
    .describe('Of what it notifies.'),
  url: z.string().max(2000).optional().describe('Of a webhook.'),
  new_secret: z
    .boolean()
    .default(false)
    .describe('Makes a new secret for a webhook.'),
  address: z.email().max(254).optional().describe('Of e-mail.'),
  quiet: quiet.nullable().default(null).describe('Nothing is sent then.'),
  digest_minutes: z
    .union(DIGESTS.map((it) => z.literal(it)))
    .default(0)
    .describe('0, or 60 or 1440 to collect for an hour or a day.'),
});

export const channelIdInput = z.strictObject({
  id: uuid.describe('The channel.'),
});

export const deliveriesInput = z.strictObject({
  state: z.enum(['waiting', 'sent', 'dead']).optional(),
  before: z
    .strictObject({ at: time, id: uuid })
    .optional()
    .describe('The `next` of the page before.'),
  limit,
});

export const retryInput = z.strictObject({
  id: uuid.describe('A dead delivery.'),
});

export type ChannelSeen = {
  id: string;
  of: 'me' | 'board';
  way: NotificationWay;
  kinds: NotificationKind[];
  url: string | null;
  address: string | null;
  quiet: z.output<typeof quiet> | null;
  digest_minutes: number;
  changed_at: number;
  changed_by: string;
};

/** `secret` is shown once, where it is new. */
export type ChannelSaved = ChannelSeen & { secret: string | null };

export type ChannelList = {
  data: ChannelSeen[];
  /** Whether the node can send e-mail. */
  email: boolean;
};

export type DeliverySeen = {
  id: string;
  channel_id: string;
  way: NotificationWay;
  /** Where it goes: the host of a webhook, or an address. */
  to: string;
  kinds: NotificationKind[];
  total: number;
  test: boolean;
  state: DeliveryState;
  attempts: number;
  error: string | null;
  created_at: number;
  due_at: number;
  sent_at: number | null;
};
export type DeliveryPage = {
  data: DeliverySeen[];
  next: { at: number; id: string } | null;
};
