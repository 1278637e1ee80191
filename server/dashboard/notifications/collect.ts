import { randomUUID } from 'node:crypto';
import { In, IsNull, MoreThan } from 'typeorm';
import { DAY_MS } from '../../clock.js';
import type { Context } from '../../context.js';
import { Stream } from '../../db/entities/counter.js';
import { AdminEvent } from '../../db/entities/dashboard.js';
import {
  Notification,
  NotificationChannel,
  NotificationDelivery,
  type NotifiedItem,
} from '../../db/entities/notification.js';
import { Alarm } from '../../db/entities/operations.js';
import { Operator } from '../../db/entities/operator.js';
import { Peer } from '../../db/entities/peer.js';
import { Report } from '../../db/entities/report.js';
import { insertNew } from '../../db/insert-new.js';
import type { NotedEvents } from '../../db/live-events.js';
import { noteEvent } from '../../db/note-event.js';
import type { Tx } from '../../db/sql.js';
import { subjectName } from '../../moderation/index.js';
import { sequenceEvents } from '../live/broadcaster.js';
import { dueAt } from './due.js';

const EVENTS_AT_ONCE = 500;
/** Later changes are no news. */
const NEW_MS = 30 * DAY_MS;
/** Named per delivery; others are counted. */
const ITEMS_MAX = 100;
const CURSOR = { name: 'notifications' };

type Found = NotifiedItem & { key: string };

/**
 * Deliveries to all channels that want them; the cursor moves in the same
 * transaction.
 * @returns how many are new
 */
export async function collect({
  writes,
  clock,
}: Pick<Context, 'writes' | 'clock'>): Promise<number> {
  await sequenceEvents(writes, clock.now());
  let total = 0;
  for (;;) {
    const { fresh, more } = await writes.transaction(
      (tx) => collectSome(tx, clock.now()),
      false,
    );
    total += fresh;
    if (!more) return total;
  }
}

async function collectSome(
  tx: Tx,
  now: number,
): Promise<{ fresh: number; more: boolean }> {
  const { manager } = tx;
  const { lastId } = await manager.findOneOrFail(Stream, {
    where: CURSOR,
    lock: { mode: 'pessimistic_write' },
  });
  const events = await manager.find(AdminEvent, {
    where: { seq: MoreThan(lastId) },
    order: { seq: 'ASC' },
    take: EVENTS_AT_ONCE,
  });
  const found = [
    ...(await newReports(tx, payloads(events, 'report'), now)),
    ...(await newAlerts(tx, payloads(events, 'alert'))),
    ...(await quarantined(tx, payloads(events, 'peer'))),
  ];
  const fresh = await onlyNew(tx, found, now);
  await enqueue(tx, fresh, now);
  const shown = fresh.map(({ kind, page }) => ({ notified_of: kind, page }));
  await noteEvent(tx, 'notification', ...shown);
  const last = events.at(-1);
  if (last !== undefined) {
    await manager.update(Stream, CURSOR, { lastId: last.seq, lastAt: now });
  }
  return { fresh: fresh.length, more: events.length === EVENTS_AT_ONCE };
}

function payloads<Kind extends 'report' | 'alert' | 'peer'>(
  events: readonly AdminEvent[],
  kind: Kind,
): NotedEvents[Kind][] {
  return events
    .filter((event) => event.kind === kind)
    .map(({ payload }) => payload as NotedEvents[Kind]);
}

async function newReports(
  { manager }: Tx,
  events: readonly NotedEvents['report'][],
  now: number,
): Promise<Found[]> {
  const waiting = events.flatMap(({ report_id: id, status }) =>
    status === 'received' && id !== undefined ? [id] : [],
  );
  const reports = await manager.find(Report, {
    select: {
      requestId: true,
      kind: true,
      createdAt: true,
      messageId: true,
      cardId: true,
      board: true,
      mirroredId: true,
    },
    where: { requestId: In(waiting), createdAt: MoreThan(now - NEW_MS) },
  });
  return reports.map(({ requestId, kind, createdAt, ...it }) => ({
    key: `report:${requestId}`,
    kind: kind === 'appeal' ? 'appeal' : 'report',
    page: `/item/${subjectName(it)}`,
    at: createdAt,
  }));
}

async function newAlerts(
  { manager }: Tx,
  events: readonly NotedEvents['alert'][],
): Promise<Found[]> {
  const open = events.filter((event) => event.open);
  if (open.length === 0) return [];
  const alarms = await manager.find(Alarm, {
    where: open.map(({ name: kind, subject }) => ({
      kind,
      subject,
      clearedAt: IsNull(),
    })),
  });
  return alarms.map(({ kind, subject, raisedAt }) => {
    const key = `alert:${kind}:${raisedAt}:${subject}`;
    return kind === 'backup_unverified'
      ? { key, kind: 'backup_overdue', page: '/system', at: raisedAt }
      : { key, kind: 'alert', page: '/', alert: kind, at: raisedAt };
  });
}

async function quarantined(
  { manager }: Tx,
  events: readonly NotedEvents['peer'][],
): Promise<Found[]> {
  const names = events
    .filter(({ status }) => status === 'quarantined')
    .map(({ name }) => name);
  const peers = await manager.find(Peer, {
    select: { originId: true, statusAt: true },
    where: { name: In(names), status: 'quarantined' },
  });
  return peers.map(({ originId, statusAt }) => ({
    key: `peer:${originId}:${statusAt}`,
    kind: 'peer_quarantined',
    page: '/mesh',
    at: statusAt,
  }));
}

/** Stores the keys; known ones were notified before. */
async function onlyNew(
  tx: Tx,
  found: readonly Found[],
  at: number,
): Promise<NotifiedItem[]> {
  const byKey = new Map(found.map(({ key, ...item }) => [key, item]));
  if (byKey.size === 0) return [];
  const rows = [...byKey.keys()].map((key) => ({ key, at }));
  const made = await insertNew(tx, Notification, rows, 'key');
  const fresh = (made as { key: string }[]).flatMap(({ key }) => {
    const item = byKey.get(key);
    return item === undefined ? [] : [item];
  });
  return fresh.sort((a, b) => a.at - b.at);
}

async function enqueue(
  tx: Tx,
  fresh: readonly NotifiedItem[],
  now: number,
): Promise<void> {
  if (fresh.length === 0) return;
  for (const channel of await openChannels(tx)) {
    const items = fresh.filter(({ kind }) => channel.kinds.includes(kind));
    if (items.length > 0) await deliver(tx, channel, items, now);
  }
}

/** Of the board and of active operators. */
async function openChannels({ manager }: Tx): Promise<NotificationChannel[]> {
  const channels = await manager.find(NotificationChannel, {
    where: { way: In(['webhook', 'email']) },
  });
  const owners = channels.flatMap(({ operatorId }) => operatorId ?? []);
  const active = await manager.find(Operator, {
    select: { id: true },
    where: { id: In(owners), state: 'active' },
  });
  const ids = new Set(active.map(({ id }) => id));
  return channels.filter(
    ({ operatorId }) => operatorId === null || ids.has(operatorId),
  );
}

/** Joins a delivery that was not tried yet. */
async function deliver(
  { manager }: Tx,
  channel: NotificationChannel,
  items: readonly NotifiedItem[],
  now: number,
): Promise<void> {
  const to = { channelId: channel.id, test: false };
  const open = await manager.findOneBy(NotificationDelivery, {
    ...to,
    state: 'waiting',
    attempts: 0,
    error: IsNull(),
  });
  if (open !== null) {
    await manager.update(
      NotificationDelivery,
      { id: open.id },
      {
        items: [...open.items, ...items].slice(0, ITEMS_MAX),
        total: open.total + items.length,
      },
    );
    return;
  }
  const former = await manager.findOne(NotificationDelivery, {
    where: to,
    order: { createdAt: 'DESC', id: 'DESC' },
  });
  await manager.insert(NotificationDelivery, {
    id: randomUUID(),
    ...to,
    state: 'waiting',
    attempts: 0,
    items: items.slice(0, ITEMS_MAX),
    total: items.length,
    createdAt: now,
    error: null,
    sentAt: null,
    dueAt: dueAt(now, former),
  });
}
