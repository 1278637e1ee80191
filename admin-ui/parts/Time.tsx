import { absolute, relative } from './time.js';
import { useNow } from './use-now.js';

type Props = { at: number | string; exact?: boolean };

/** A moment: how long ago, and exactly in UTC on asking. */
export function Time({ at, exact = false }: Props) {
  const ms = typeof at === 'number' ? at : Date.parse(at);
  const now = useNow();
  const utc = absolute(ms);
  return (
    <time dateTime={new Date(ms).toISOString()} title={utc}>
      {exact ? `${utc} (${relative(ms, now)})` : relative(ms, now)}
    </time>
  );
}
