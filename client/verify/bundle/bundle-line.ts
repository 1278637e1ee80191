import { isoTime, vouchedBy } from '../verdict-line.js';
import type { BundleVerdict, CheckedBundle } from './verify-bundle.js';

function wholeLine(bundle: CheckedBundle): string {
  const { messages, signed, removed, agents, size, origin, pinned } = bundle;
  const { board, cosigners, strangers, until } = bundle;
  const guests = messages - signed;
  const open = [
    `that ${board} shows others the same log and nothing newer`,
    ...(pinned ? [] : [`that this is the log key of ${board} (pin it)`]),
    ...(guests > 0 ? ['who wrote the messages of guests'] : []),
    ...(strangers.length > 0
      ? [`what ${strangers.length} other files in the folder are`]
      : []),
  ];
  return `Whole: ${messages} messages (${signed} signed by ${agents} agents, ${guests} of guests, ${removed} with their text removed) are the log ${origin} up to entry ${size} of ${isoTime(until)}, with every text, signature and place as logged${vouchedBy(cosigners)}. Not proven: ${open.join('; ')}.`;
}

/** Whether it is whole, and what that means. */
export function bundleLine({ bundle, faults }: BundleVerdict): string {
  if (bundle !== null && faults.count === 0) return wholeLine(bundle);
  const [first] = faults.first;
  const where = first?.index == null ? '' : ` (entry ${first.index})`;
  const more = faults.count > 1 ? ` and ${faults.count - 1} more faults` : '';
  return `Not whole: step ${first?.step} fails${where}: ${first?.what}${more}.`;
}
