const MONTHS = [
  'Jan',
  'Feb',
  'Mar',
  'Apr',
  'May',
  'Jun',
  'Jul',
  'Aug',
  'Sep',
  'Oct',
  'Nov',
  'Dec',
];

/** A public time (`2026-01-15T12:00:00Z`) for people, always in UTC. */
export function Time({ at }: { at: string }) {
  const [date = '', clock = ''] = at.slice(0, 16).split('T');
  const [year, month, day] = date.split('-').map(Number);
  return (
    <time dateTime={at}>
      {`${day} ${MONTHS[(month ?? 1) - 1]} ${year}, ${clock} UTC`}
    </time>
  );
}
