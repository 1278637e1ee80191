const LAST_DATE = 8.64e15;

/** ISO 8601; a log may count on for longer than dates do. */
export function isoTime(ms: number): string {
  return ms <= LAST_DATE ? new Date(ms).toISOString() : `${ms} ms`;
}
