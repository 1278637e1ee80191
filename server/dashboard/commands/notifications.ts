import { randomUUID } from 'node:crypto';
import { IsNull } from 'typeorm';
import { z } from 'zod';
import { parseUrl } from '../../../protocol/parse-url.js';
import type { Config } from '../../config.js';
import {
  NotificationChannel,
  NotificationDelivery,
} from '../../db/entities/notification.js';
import type { Tx } from '../../db/sql.js';
import { NOTIFICATION_KINDS, NOTIFICATION_WAYS } from '../../db/states.js';
import { BoardError, invalid } from '../../errors.js';
import { accountOf, command, type Operator } from '../command.js';
import { seenAt, uuid } from '../fields.js';
import { newSecret } from '../notifications/webhook-secret.js';
import { assertSeen } from '../refusals.js';
import { reaches } from '../roles.js';

/** Per operator, and of the board. */
const CHANNELS_MAX = 20;
const TEST_GAP_MS = 30_000;

const wanted = z.strictObject({
  id: uuid.optional().describe('A channel to change; without it a new one.'),
  seen: seenAt,
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
type Wanted = z.output<typeof wanted>;
const one = z.strictObject({ id: uuid.describe('The channel.') });
const shown = one.extend({ seen: seenAt });

export const listChannels = command({
  name: 'notification.list',
  reads: true,
  right: 'viewer',
  summary: "Where the operator is notified; for admins the board's, too.",
  handle: async ({ ctx: { reads, config }, operator }) => {
    const channels = await reads.manager.find(NotificationChannel, {
      where: visibleTo(operator),
      order: { changedAt: 'ASC', id: 'ASC' },
    });
    // `email`: the node can send some.
    return { data: channels.map(seen), email: config.smtpUrl !== null };
  },
});

/** @throws BoardError `forbidden` for webhooks and the board's without the role */
export const saveChannel = command({
  name: 'notification.save',
  right: 'viewer',
  summary: 'Set where an operator, or the board, is notified, and of what.',
  input: wanted,
  handle: ({ ctx, operator, input, audit }) =>
    audit(async (tx, now) => {
      const former =
        input.id === undefined ? null : await own(tx, operator, input);
      const operatorId = ownerOf(operator, input, former);
      checkPlace(ctx.config, input);
      if (former === null) {
        const whose = { operatorId: operatorId ?? IsNull() };
        const count = await tx.manager.countBy(NotificationChannel, whose);
        const detail = `There are ${CHANNELS_MAX} channels; remove one first.`;
        if (count >= CHANNELS_MAX) throw invalid('way', detail);
      }
      const id = former?.id ?? randomUUID();
      const secret = secretOf(ctx, input, former, id);
      const { way, kinds } = input;
      const row: NotificationChannel = {
        id,
        operatorId,
        way,
        kinds: [...new Set(kinds)],
        url: way === 'webhook' ? (input.url ?? null) : null,
        secret: secret.sealed,
        address: way === 'email' ? (input.address ?? null) : null,
        changedAt: now,
        changedBy: operator.alias,
      };
      await tx.manager.save(NotificationChannel, row);
      return {
        // `secret`: shown once, when new.
        answer: { ...seen(row), secret: secret.shown },
        subject: `notification:${id}`,
        before: former && audited(former),
        after: { ...audited(row), new_secret: secret.shown !== null },
      };
    }),
});

export const removeChannel = command({
  name: 'notification.remove',
  right: 'viewer',
  summary: 'Remove a channel with its deliveries.',
  input: shown,
  handle: ({ operator, input, audit }) =>
    audit(async (tx) => {
      const channel = await own(tx, operator, input);
      const { id } = channel;
      await tx.manager.delete(NotificationChannel, { id });
      const before = audited(channel);
      return { answer: { id }, subject: `notification:${id}`, before };
    }),
});

/** @throws BoardError `rate_limited` while another test is under way */
export const testChannel = command({
  name: 'notification.test',
  right: 'viewer',
  summary: 'Send a test to a channel.',
  input: one,
  handle: ({ operator, input: { id }, audit }) =>
    audit(async (tx, now) => {
      const channel = await own(tx, operator, { id });
      if (channel.way === 'browser') {
        throw invalid(
          'id',
          'A browser is tested on the page of the dashboard.',
        );
      }
      await checkTests(tx, id, now);
      const deliveryId = randomUUID();
      await tx.manager.insert(NotificationDelivery, {
        id: deliveryId,
        channelId: id,
        items: [],
        total: 0,
        test: true,
        state: 'waiting',
        attempts: 0,
        error: null,
        sentAt: null,
        createdAt: now,
        dueAt: now,
      });
      const answer = { delivery_id: deliveryId };
      const after = audited(channel);
      return { answer, subject: `notification:${id}`, after };
    }),
});

/** Seen and changed by an operator. */
export function visibleTo({ operatorId, role }: Operator) {
  const own = operatorId === null ? [] : [{ operatorId }];
  return [
    ...own,
    ...(reaches(role, 'admin') ? [{ operatorId: IsNull() }] : []),
  ];
}

/** @throws BoardError `not_found` for those of others, and of `assertSeen` */
async function own(
  { manager }: Tx,
  operator: Operator,
  { id = '', seen: at }: Pick<Wanted, 'id' | 'seen'>,
): Promise<NotificationChannel> {
  const channel = await manager.findOne(NotificationChannel, {
    where: visibleTo(operator).map((it) => ({ ...it, id })),
    lock: { mode: 'pessimistic_write' },
  });
  if (channel === null) {
    throw new BoardError('not_found', 'You have no such channel.');
  }
  assertSeen(at, channel.changedAt, 'channel', seen(channel));
  return channel;
}

function ownerOf(
  operator: Operator,
  { of, way }: Wanted,
  former: NotificationChannel | null,
): string | null {
  const isOfBoard = of === 'board';
  const isAdmin = reaches(operator.role, 'admin');
  if (!isAdmin && (isOfBoard || way === 'webhook')) {
    throw new BoardError(
      'forbidden',
      "Webhooks and the board's channels are set by admins; ask one.",
      { scope: 'admin' },
    );
  }
  if (isOfBoard && way === 'browser') {
    throw invalid('way', 'A browser notifies one operator, not the board.');
  }
  const owner = isOfBoard ? null : accountOf(operator);
  if (former !== null && former.operatorId !== owner) {
    throw invalid('of', 'must stay what it is; add another channel instead.');
  }
  if (former !== null && former.way !== way) {
    throw invalid('way', 'must stay what it is; add another channel instead.');
  }
  return owner;
}

function checkPlace(config: Config, { way, url, address }: Wanted): void {
  if (way !== 'webhook' && url !== undefined) {
    throw invalid('url', 'must be left out: only a webhook has one.');
  }
  if (way !== 'email' && address !== undefined) {
    throw invalid('address', 'must be left out: only e-mail has one.');
  }
  if (way === 'email') {
    if (config.smtpUrl === null) {
      throw invalid('way', 'This node sends no e-mail: SMTP_URL is not set.');
    }
    if (address === undefined) throw invalid('address', 'Give an address.');
  }
  if (way !== 'webhook') return;
  const parsed = parseUrl(url ?? '');
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw invalid('url', 'Give the https: address of the receiver.');
  }
  if (parsed.username !== '' || parsed.password !== '' || parsed.hash !== '') {
    throw invalid('url', 'must have no user, password or fragment.');
  }
  if (parsed.protocol === 'https:') return;
  if (config.webhookPrivateOrigins.includes(parsed.origin)) return;
  throw invalid(
    'url',
    `must be https, or ${parsed.origin} must be in WEBHOOK_PRIVATE_ORIGINS.`,
  );
}

function secretOf(
  context: Parameters<typeof newSecret>[0],
  { way, new_secret: isNew }: Wanted,
  former: NotificationChannel | null,
  id: string,
): { shown: string | null; sealed: Buffer | null } {
  if (way !== 'webhook') return { shown: null, sealed: null };
  if (former === null || isNew) return newSecret(context, id);
  return { shown: null, sealed: former.secret };
}

async function checkTests({ manager }: Tx, channelId: string, now: number) {
  const last = await manager.findOne(NotificationDelivery, {
    where: { channelId, test: true },
    order: { createdAt: 'DESC', id: 'DESC' },
  });
  const wait = (last?.createdAt ?? 0) + TEST_GAP_MS - now;
  if (wait <= 0) return;
  const seconds = Math.min(Math.ceil(wait / 1000), TEST_GAP_MS / 1000);
  throw new BoardError(
    'rate_limited',
    `A test was sent just now; send the next one in ${seconds} s.`,
    { scope: 'notification_tests', retry_after_seconds: seconds },
  );
}

export type ChannelSeen = ReturnType<typeof seen>;
function seen(channel: NotificationChannel) {
  const { id, operatorId, way, kinds, url, address } = channel;
  const of: 'me' | 'board' = operatorId === null ? 'board' : 'me';
  return {
    id,
    of,
    way,
    kinds,
    url,
    address,
    changed_at: channel.changedAt,
    changed_by: channel.changedBy,
  };
}

/** Without a webhook's path, which may be secret. */
function audited(channel: NotificationChannel): object {
  const { url, changed_at: _at, changed_by: _by, ...it } = seen(channel);
  return { ...it, url: url && new URL(url).origin };
}
