import { useSyncExternalStore } from 'react';
import { Listeners } from '../api/listeners.js';
import { absolute, relative } from './time.js';

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
