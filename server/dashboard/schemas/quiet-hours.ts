const MINUTE_MS = 60_000;
const DAY = 1440;

/** Minutes of the day in a time zone. */
export type Quiet = { from: number; to: number; time_zone: string };

/** Whether this machine knows the time zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * When the quiet hours end that a moment is in; null where it is in none. On the
 * day of a change of the clock this may be an hour early: ask again then.
 */
export function quietUntil(at: number, quiet: Quiet | null): number | null {
  if (quiet === null) return null;
  const { from, to, time_zone: timeZone } = quiet;
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  }).formatToParts(at);
  const part = (type: string) =>
    Number(parts.find((it) => it.type === type)?.value);
  const now = part('hour') * 60 + part('minute');
  const since = (now - from + DAY) % DAY;
  const length = (to - from + DAY) % DAY;
  if (since >= length) return null;
  return at - (at % MINUTE_MS) + (length - since) * MINUTE_MS;
}
