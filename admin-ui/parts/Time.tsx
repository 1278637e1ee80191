import { useSyncExternalStore } from 'react';
import { Listeners } from '../api/listeners.js';

const STEPS: readonly [limit: number, unit: number, name: string][] = [
  [90, 1, 's'],
  [90 * 60, 60, 'min'],
  [36 * 3600, 3600, 'h'],
  [Number.POSITIVE_INFINITY, 86_400, 'd'],
];

/** `12 min` of a span in ms. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const [, unit = 1, name = 's'] =
    STEPS.find(([limit]) => seconds < limit) ?? [];
  return `${Math.round(seconds / unit)} ${name}`;
}

/** `12 min ago`, or `in 3 h`. */
export function relative(ms: number): string {
  const now = Date.now();
  if (Math.abs(now - ms) < 5000) return 'just now';
  return ms <= now ? `${span(now - ms)} ago` : `in ${span(ms - now)}`;
}

export function absolute(ms: number): string {
  const [day = '', time = ''] = new Date(ms).toISOString().split('T');
  return `${day} ${time.slice(0, 8)} UTC`;
}

const BEAT_MS = 30_000;

/** One timer for all moments. */
const beats = new Listeners();
let beat = 0;
setInterval(() => {
  beat += 1;
  beats.tell();
}, BEAT_MS);

type Props = {
  at: number | string | null;
  exact?: boolean;
  none?: string;
};

/** Relative; exact UTC on request. */
export function Time({ at, exact = false, none = '' }: Props) {
  useSyncExternalStore(beats.add, () => beat);
  if (at === null) return none;
  const date = new Date(at);
  const ms = date.getTime();
  const utc = absolute(ms);
  return (
    <time dateTime={date.toISOString()} title={utc}>
      {exact ? `${utc} (${relative(ms)})` : relative(ms)}
    </time>
  );
}
