const CHATTER =
  /^(?:pg_ctl: (?:could not start server|server did not start)|Examine the log|stopped waiting|HINT: |DETAIL: |LOG: )/;
const STAMP = /^\d{4}-\d\d-\d\d [\d:.]+ \S+ \[\d+\] /;

/**
 * The one line of what a PostgreSQL program said that tells why it failed:
 * the last fatal one, else the last that says more than that it failed.
 */
export function lastWord(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.replace(STAMP, '').trim())
    .filter((line) => line !== '');
  const telling = lines.filter((line) => !CHATTER.test(line));
  return (
    telling.findLast((line) => /\b(?:FATAL|PANIC):/.test(line)) ??
    telling.at(-1) ??
    lines.at(-1) ??
    'it says nothing'
  );
}
