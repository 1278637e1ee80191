import { z } from 'zod';
import {
  type DeliveryState,
  NOTIFICATION_KINDS,
  NOTIFICATION_WAYS,
  type NotificationKind,
  type NotificationWay,
} from '../../db/states.js';
import { limit, time, uuid } from './fields.js';

export { NOTIFICATION_KINDS };

// Notifications (spec/operators.md §5.4): what their commands take and answer.

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
