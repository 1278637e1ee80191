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
