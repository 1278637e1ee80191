import { In, LessThan } from 'typeorm';
import { z } from 'zod';
import {
  NotificationChannel,
  NotificationDelivery,
} from '../../db/entities/notification.js';
import type {
  DeliveryState,
  NotificationKind,
  NotificationWay,
} from '../../db/states.js';
import { BoardError } from '../../errors.js';
import { answer, command } from '../command.js';
import { limit, time, uuid } from '../fields.js';
import { type Page, pageOf } from '../page.js';
import { visibleTo } from './notifications.js';

export type DeliverySeen = {
  id: string;
  channel_id: string;
  way: NotificationWay;
  /** A webhook's host, or an address. */
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

export const listDeliveries = command({
  name: 'notification.deliveries',
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
  answer: answer<Page<DeliverySeen, { at: number; id: string }>>(),
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
      ...{ at, id },
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
  summary: 'Sends a dead delivery again, under the same id.',
  input: z.strictObject({ id: uuid.describe('A dead delivery.') }),
  handle: ({ operator, input: { id }, audit }) =>
    audit(async ({ manager }, now) => {
      const delivery = await manager.findOneBy(NotificationDelivery, { id });
      const channelId = delivery?.channelId;
      const mine =
        channelId !== undefined &&
        (await manager.existsBy(
          NotificationChannel,
          visibleTo(operator).map((it) => ({ ...it, id: channelId })),
        ));
      const { affected } = mine
        ? await manager.update(
            NotificationDelivery,
            { id, state: 'dead' },
            { state: 'waiting', attempts: 0, dueAt: now },
          )
        : { affected: 0 };
      if (affected !== 1) {
        throw new BoardError('not_found', 'You have no such dead delivery.');
      }
      const subject = `notification:${channelId}`;
      return { answer: { id }, subject, after: { delivery: id } };
    }),
});

function seen(
  { channelId, ...it }: NotificationDelivery,
  { way, url, address }: NotificationChannel,
): DeliverySeen {
  return {
    ...{ id: it.id, channel_id: channelId, way },
    to: address ?? (url === null ? '' : new URL(url).host),
    kinds: [...new Set(it.items.map(({ kind }) => kind))],
    ...{ total: it.total, test: it.test, state: it.state },
    ...{ attempts: it.attempts, error: it.error },
    ...{ created_at: it.createdAt, due_at: it.dueAt, sent_at: it.sentAt },
  };
}
