import {
  MODERATION_ACTIONS,
  MODERATION_REASONS,
} from '../../../protocol/moderation.js';
import { ROOMS } from '../../../protocol/room.js';
import type { CommandInput } from '../../../server/dashboard/schemas/commands.js';
import { oneOf, type Search, wholeNumber } from '../../shell/use-address.js';

export type DecisionFilters = Omit<
  CommandInput<'decision.list'>,
  'before' | 'limit'
>;

const DAY_MS = 86_400_000;

/** The start of a UTC day as the browser's date field writes it. */
function dayStart(text: string | undefined): number | undefined {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text ?? '')
    ? Date.parse(`${text}T00:00:00Z`)
    : Number.NaN;
  return Number.isNaN(ms) || ms < 0 ? undefined : ms;
}

/** The filters that an address asks for. `to` is a day, and counts whole. */
export function decisionFilters(search: Search): DecisionFilters {
  const last = dayStart(search.to);
  return {
    action: oneOf(search.action, MODERATION_ACTIONS),
    reason: oneOf(search.reason, MODERATION_REASONS),
    operator: search.operator?.trim() || undefined,
    room: oneOf(search.room, ROOMS),
    message_id: wholeNumber(search.message_id),
    from: dayStart(search.from),
    to: last === undefined ? undefined : last + DAY_MS,
  };
}

/** Where the same decisions are had as a file. */
export function exportUrl(
  filters: DecisionFilters,
  format: 'csv' | 'json',
): string {
  const pairs = Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const query = new URLSearchParams([...pairs, ['format', format]]);
  return `/admin/api/do/decisions?${query}`;
}
