import { In, LessThan, LessThanOrEqual } from 'typeorm';
import type { Verdict } from '../../../protocol/verdict.js';
import { DAY_MS } from '../../clock.js';
import type { Context } from '../../context.js';
import {
  Notification,
  NotificationChannel,
  NotificationDelivery,
} from '../../db/entities/notification.js';
import { Operator } from '../../db/entities/operator.js';
import { againAt } from './due.js';
import { type Mailer, mailFault } from './mail.js';
import { mailOf, webhookBody } from './message.js';
import { signedHeaders } from './webhook-secret.js';

/** At most eight are sent at once. */
const PER_RUN = 40;
const AT_ONCE = 8;
const SENT_MS = 30 * DAY_MS;
/** Dead deliveries and notified keys. */
const KEPT_MS = 90 * DAY_MS;

export type Ways = {
  webhook(
    url: string,
    text: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Verdict<number, string>>;
  /** Null without SMTP_URL. */
  mail: Mailer | null;
};

export type SendContext = Pick<
  Context,
  'writes' | 'clock' | 'keys' | 'config' | 'board'
>;

type Outcome = { error: string | null; final?: boolean };

/**
 * After a crash it is sent again under the same id.
 * @returns counts of sent and failed ones
 */
export async function sendDue(
  ctx: SendContext,
  ways: Ways,
  signal: AbortSignal,
): Promise<{ sent: number; failed: number }> {
  const { manager } = ctx.writes;
  const due = await manager.find(NotificationDelivery, {
    where: { state: 'waiting', dueAt: LessThanOrEqual(ctx.clock.now()) },
    order: { dueAt: 'ASC' },
    take: PER_RUN,
  });
  const channels = await manager.findBy(NotificationChannel, {
    id: In(due.map(({ channelId }) => channelId)),
  });
  const total = { sent: 0, failed: 0 };
  const sendNext = async (): Promise<void> => {
    for (let it = due.shift(); it !== undefined; it = due.shift()) {
      if (signal.aborted) return;
      const channel = channels.find(({ id }) => id === it.channelId);
      if (channel === undefined) continue;
      await begin(ctx, it);
      const outcome = await send(ctx, ways, it, channel, signal);
      if (signal.aborted && outcome.error !== null) return;
      await note(ctx, it, outcome);
      total[outcome.error === null ? 'sent' : 'failed'] += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendNext));
  return total;
}

async function send(
  ctx: SendContext,
  ways: Ways,
  delivery: NotificationDelivery,
  channel: NotificationChannel,
  signal: AbortSignal,
): Promise<Outcome> {
  if (!(await mayStill(ctx, channel))) {
    return { error: 'operator_has_no_right', final: true };
  }
  const from = { board: ctx.board.name, baseUrl: ctx.config.baseUrl };
  const { id } = delivery;
  if (channel.way === 'email') {
    if (ways.mail === null) return { error: 'smtp_not_set' };
    const to = channel.address ?? '';
    const mail = { id, to, ...mailOf(delivery, from) };
    return await ways.mail.send(mail, signal).then(
      () => ({ error: null }),
      (error: unknown) => ({ error: mailFault(error) }),
    );
  }
  const { url, secret } = channel;
  if (url === null || secret === null) return { error: 'no_url', final: true };
  const text = webhookBody(delivery, from);
  const sealed = { id: channel.id, secret };
  const now = ctx.clock.now();
  const headers = signedHeaders(ctx, sealed, { id, text, now });
  if (headers === null) return { error: 'secret_of_another_seed', final: true };
  const answer = await ways.webhook(url, text, headers, signal);
  if (!answer.ok) return { error: answer.reason };
  const taken = answer.value >= 200 && answer.value < 300;
  return { error: taken ? null : `http_${answer.value}` };
}

/** Not for disabled accounts; webhooks are for admins. */
async function mayStill(
  { writes }: SendContext,
  { operatorId: id, way }: NotificationChannel,
): Promise<boolean> {
  if (id === null) return true;
  return await writes.manager.existsBy(Operator, {
    id,
    state: 'active',
    ...(way === 'webhook' ? { role: 'admin' } : {}),
  });
}

/** Counts the attempt first: a sent delivery is not added to. */
async function begin(
  { writes, clock }: SendContext,
  delivery: NotificationDelivery,
): Promise<void> {
  const { id } = delivery;
  delivery.attempts += 1;
  const { attempts } = delivery;
  const now = clock.now();
  const dueAt = againAt(now, attempts) ?? now;
  await writes.manager.update(
    NotificationDelivery,
    { id },
    { attempts, dueAt },
  );
}

async function note(
  { writes, clock }: SendContext,
  { id, attempts }: NotificationDelivery,
  { error, final = false }: Outcome,
): Promise<void> {
  const now = clock.now();
  const next = final ? null : againAt(now, attempts);
  const state =
    error === null
      ? ({ state: 'sent', sentAt: now } as const)
      : next === null
        ? ({ state: 'dead' } as const)
        : ({ state: 'waiting', dueAt: next } as const);
  const change = { error, ...state };
  await writes.manager.update(NotificationDelivery, { id }, change);
}

export async function forgetOld({
  writes: { manager },
  clock,
}: SendContext): Promise<void> {
  const now = clock.now();
  const before = (age: number) => ({ createdAt: LessThan(now - age) });
  await manager.delete(NotificationDelivery, [
    { state: 'sent', ...before(SENT_MS) },
    { state: 'dead', ...before(KEPT_MS) },
  ]);
  await manager.delete(Notification, { at: LessThan(now - KEPT_MS) });
}
