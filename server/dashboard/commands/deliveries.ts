import { In, LessThan } from 'typeorm';
import { z } from 'zod';
import {
  NotificationChannel,
  NotificationDelivery,
} from '../../db/entities/notification.js';
import { BoardError } from '../../errors.js';
import { command } from '../command.js';
import { limit, time, uuid } from '../fields.js';
import { pageOf } from '../page.js';
import { visibleTo } from './notifications.js';

export const listDeliveries = command({
  name: 'notification.deliveries',
  reads: true,
  right: 'viewer',
  summary: 'What was sent, waits or failed for good, newest first.',
  input: z.strictObject({
    state: z.enum(['waiting', 'sent', 'dead']).optional(),
    before: z
      .strictObject({ at: time, id: uuid })
      .optional()
      .describe('The `next` of the page before.'),
    limit,
  }),
  handle: async ({
    ctx: {
      reads: { manager },
    },
    operator,
    input,
  }) => {
    const { state, before, limit } = input;
    const channels = await manager.findBy(
      NotificationChannel,
      visibleTo(operator),
    );
    const of = {
      channelId: In(channels.map(({ id }) => id)),
      ...(state === undefined ? {} : { state }),
    };
    const rows = await manager.find(NotificationDelivery, {
      where:
        before === undefined
          ? of
          : [
              { ...of, createdAt: LessThan(before.at) },
              { ...of, createdAt: before.at, id: LessThan(before.id) },
            ],
      order: { createdAt: 'DESC', id: 'DESC' },
      take: limit + 1,
    });
    const byId = new Map(channels.map((it) => [it.id, it]));
    const { data, next } = pageOf(rows, limit, ({ createdAt: at, id }) => ({
      at,
      id,
    }));
    const shown = data.flatMap((row) => {
      const channel = byId.get(row.channelId);
      return channel === undefined ? [] : [seen(row, channel)];
    });
    return { data: shown, next };
  },
});

export const retryDelivery = command({
  name: 'notification.retry',
  right: 'viewer',
  summary: 'Send a dead delivery again, under the same id.',
  input: z.strictObject({ id: uuid.describe('A dead delivery.') }),
  handle: ({ operator, input: { id }, audit }) =>
    audit(async ({ manager }, now) => {
      const channels = await manager.findBy(
        NotificationChannel,
        visibleTo(operator),
      );
      const mine = In(channels.map((channel) => channel.id));
      const dead = { id, state: 'dead', channelId: mine } as const;
      const delivery = await manager.findOneBy(NotificationDelivery, dead);
      const again = { state: 'waiting', attempts: 0, dueAt: now } as const;
      const done = await manager.update(NotificationDelivery, dead, again);
      if (delivery === null || done.affected !== 1) {
        throw new BoardError('not_found', 'You have no such dead delivery.');
      }
      const subject = `notification:${delivery.channelId}`;
      return { answer: { id }, subject, after: { delivery: id } };
    }),
});

export type DeliverySeen = ReturnType<typeof seen>;
function seen(
  { channelId, ...it }: NotificationDelivery,
  { way, url, address }: NotificationChannel,
) {
  return {
    id: it.id,
    channel_id: channelId,
    way,
    // The host of a webhook, or an address.
    to: address ?? (url === null ? '' : new URL(url).host),
    kinds: [...new Set(it.items.map(({ kind }) => kind))],
    total: it.total,
    test: it.test,
    state: it.state,
    attempts: it.attempts,
    error: it.error,
    created_at: it.createdAt,
    due_at: it.dueAt,
    sent_at: it.sentAt,
  };
}
