import { REPORT_REASONS } from '../../../protocol/moderation.js';
import { ROOMS } from '../../../protocol/room.js';
import type { CommandInput } from '../../../server/dashboard/all-commands.js';
import { oneOf, type Search } from '../../shell/use-address.js';

export const STATUSES = ['open', 'received', 'in_review', 'settled'] as const;
export const KINDS = ['topic', 'message', 'card', 'poll', 'mirrored'] as const;
/** A message that begins no thread is called a reply. */
export const KIND_WORDS: Readonly<
  Record<(typeof KINDS)[number], readonly [one: string, many: string]>
> = {
  topic: ['topic', 'topics'],
  message: ['reply', 'replies'],
  card: ['card', 'cards'],
  poll: ['poll', 'polls'],
  mirrored: ['mirrored message', 'mirrored messages'],
};
export const ORDERS = ['longest_wait', 'most_reports'] as const;
export const CLAIMED = ['me', 'others', 'nobody'] as const;

export type QueueFilters = Omit<CommandInput<'queue.list'>, 'after' | 'limit'>;

const LAST = 'operators-queue';

/** Misspelled filters are ignored. */
export function queueFilters(search: Search): QueueFilters {
  return {
    status: oneOf(search.status, STATUSES) ?? 'open',
    order: oneOf(search.order, ORDERS),
    kind: oneOf(search.kind, KINDS),
    reason: oneOf(search.reason, REPORT_REASONS),
    room: oneOf(search.room, ROOMS),
    claimed: oneOf(search.claimed, CLAIMED),
    appeals: String(search.appeals) === 'true' || undefined,
  };
}

export function rememberQueue(filters: QueueFilters): void {
  sessionStorage.setItem(LAST, JSON.stringify(filters));
}

export function rememberedQueue(): QueueFilters {
  const text = sessionStorage.getItem(LAST);
  if (text === null) return { status: 'open' };
  try {
    return queueFilters(JSON.parse(text) as Search);
  } catch {
    return { status: 'open' };
  }
}
