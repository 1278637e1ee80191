import { publicTime } from '../../clock.js';
import type {
  NotificationDelivery,
  NotifiedItem,
} from '../../db/entities/notification.js';
import { alertName, NOTIFICATION_WORDS as WORDS } from './words.js';

type Said = Pick<
  NotificationDelivery,
  'items' | 'total' | 'test' | 'createdAt'
>;

export type Sender = { board: string; baseUrl: string };

const urlOf = ({ baseUrl }: Sender, { page }: NotifiedItem) =>
  `${baseUrl}/admin${page}`;

const testWords = ({ board }: Sender) =>
  `This is the test that you asked for. Notifications of ${board} arrive here.`;

/** One line: kinds, counts and where to look. */
function chatLine({ items, total, test }: Said, from: Sender): string {
  if (test) return testWords(from);
  const counts = new Map<string, number>();
  for (const { kind } of items) {
    counts.set(WORDS[kind], (counts.get(WORDS[kind]) ?? 0) + 1);
  }
  const kinds = [...counts].map(([words, n]) =>
    n === 1 ? words : `${n} × ${words}`,
  );
  const more = total - items.length;
  if (more > 0) kinds.push(`${more} more`);
  const [first] = items;
  const link =
    total === 1 && first !== undefined
      ? urlOf(from, first)
      : `${from.baseUrl}/admin`;
  return `[${from.board}] ${kinds.join(', ')}: ${link}`;
}

/** Slack, Mattermost and Teams show `text`, Discord `content`. */
export function webhookBody(it: Said, from: Sender): string {
  const text = chatLine(it, from);
  return JSON.stringify({
    text,
    content: text,
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

/** What happened and where, no content. */
export function mailOf(
  { items, total, test }: Said,
  from: Sender,
): { subject: string; text: string } {
  if (test) {
    return { subject: `[${from.board}] Test`, text: `${testWords(from)}\n` };
  }
  const [first] = items;
  const subject =
    total === 1 && first !== undefined
      ? WORDS[first.kind]
      : `${total} notifications`;
  const more = total - items.length;
  const lines = [
    ...items.map((item) => {
      const which =
        item.alert === undefined
          ? ''
          : ` (${alertName(item.alert).toLowerCase()})`;
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
