import { publicTime } from '../../clock.js';
import type {
  NotificationDelivery,
  NotifiedItem,
} from '../../db/entities/notification.js';
import { NOTIFICATION_WORDS as WORDS } from '../schemas/notification-words.js';

type Said = Pick<
  NotificationDelivery,
  'items' | 'total' | 'test' | 'createdAt'
>;

export type Sender = { board: string; baseUrl: string };

const urlOf = ({ baseUrl }: Sender, { page }: NotifiedItem) =>
  `${baseUrl}/admin${page}`;

/** The body of a webhook: the same bytes however often it is sent. */
export function webhookBody(it: Said, from: Sender): string {
  return JSON.stringify({
    type: it.test ? 'reserve-board.test' : 'reserve-board.notification',
    timestamp: publicTime(it.createdAt),
    data: {
      board: from.board,
      total: it.total,
      items: it.items.map((item) => ({
        kind: item.kind,
        ...(item.alert === undefined ? {} : { alert: item.alert }),
        at: publicTime(item.at),
        url: urlOf(from, item),
      })),
    },
  });
}

/** Subject and text of an e-mail: what happened and where, no content. */
export function mailOf(
  { items, total, test }: Said,
  from: Sender,
): { subject: string; text: string } {
  if (test) {
    const text = `This is the test that you asked for. Notifications of ${from.board} arrive here.`;
    return { subject: `[${from.board}] Test`, text: `${text}\n` };
  }
  const [first] = items;
  const subject =
    total === 1 && first !== undefined
      ? WORDS[first.kind]
      : `${total} notifications`;
  const more = total - items.length;
  const lines = [
    ...items.map((item) => {
      const which = item.alert === undefined ? '' : ` (${item.alert})`;
      return `${WORDS[item.kind]}${which}, ${publicTime(item.at)}\n${urlOf(from, item)}\n`;
    }),
    ...(more > 0 ? [`And ${more} more: ${from.baseUrl}/admin\n`] : []),
    `What you are notified of: ${from.baseUrl}/admin/settings/notifications`,
  ];
  return {
    subject: `[${from.board}] ${subject}`,
    text: `${lines.join('\n')}\n`,
  };
}
